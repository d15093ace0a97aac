/** The tables of services whose requests the credential signs, and of those whose requests it cannot sign. */
import { readFileSync } from 'node:fs';
import { signRequest } from '../../api/signature/signRequest.ts';
import type { SigningSettings } from '../../api/signature/settings.ts';
import { describeSettings } from '../fixtures/schemes/describeSettings.ts';
import { PUBLISHED } from '../fixtures/schemes/publishedRequests.ts';
import { KEY } from '../fixtures/schemes/requestCase.ts';
import { DOCUMENTED } from '../fixtures/schemes/requestSchemes.ts';
import { UNREACHABLE } from '../fixtures/schemes/unreachableRequests.ts';
import { openSsl } from './openSsl.ts';

const byName = (a: { service: string }, b: { service: string }) => a.service.localeCompare(b.service);
const REACHABLE = [...PUBLISHED, ...DOCUMENTED].sort(byName);

const CASES = REACHABLE.flatMap(({ service, settings, cases }) =>
	cases.map((request) => ({ service, settings, ...request })),
);

test.each(CASES)('$service: $method $url is signed', ({ settings, method, url, body = '', ...expected }) => {
	const { now, timestamp, nonce, secret, text, published } = expected;
	const {
		serviceName = 'svc',
		signatureAlgorithm: algorithm = 'sha256',
		signatureEncoding = 'hex',
		signatureSecretEncoding: secretEncoding = 'utf8',
	} = settings;
	const isUpper = signatureEncoding === 'hexUpper';
	const computed = openSsl(text, secret, {
		algorithm,
		encoding: (isUpper ? 'hex' : signatureEncoding) as 'hex' | 'base64',
		secretEncoding: secretEncoding as 'utf8' | 'base64',
	});
	if (published !== undefined) expect(computed).toBe(published);

	const all: SigningSettings = {
		...{ serviceName, apiKey: KEY, signatureMethod: 'hmac', timestampFormat: 'unixMilliseconds' },
		...settings,
		signatureStyle: 'custom',
		signatureSecret: secret,
	};
	const request = { method, url: new URL(url), body };
	const signature = isUpper ? computed.toUpperCase() : computed;
	const given = { timestamp, ...(nonce === undefined ? {} : { nonce }) };
	const { [`x-${serviceName}-nonce`]: sentNonce, ...headers } = signRequest(all, request, now, given);
	expect(headers).toEqual({
		[`x-${serviceName}-key`]: KEY,
		[`x-${serviceName}-signature`]: signature,
		[`x-${serviceName}-timestamp`]: timestamp,
	});
	expect(sentNonce).toBe(all.signaturePayload?.includes('{nonce}') ? nonce : undefined);
	expect(signRequest(all, request, now)).toHaveProperty(`x-${serviceName}-timestamp`, timestamp);
});

test('of 21 payment and wallet services, 14 have requests that the credential signs', () => {
	const payments = (services: Array<{ kind: string }>) => services.filter(({ kind }) => kind === 'payments');
	expect(payments(REACHABLE)).toHaveLength(14);
	expect(payments(UNREACHABLE)).toHaveLength(7);
	const names = [...REACHABLE, ...UNREACHABLE].map(({ service }) => service);
	expect(new Set(names).size).toBe(names.length);
});

test('docs/connect.md shows both tables', () => {
	const shown = readFileSync('docs/connect.md', 'utf8').split('\n');
	const linked = ({ service, source }: { service: string; source: string }) => `[${service}](${source})`;
	const signed = REACHABLE.map((row) => {
		const compared = row.cases.some(({ published }) => published !== undefined)
			? 'its own example'
			: 'openssl';
		const settings = describeSettings(row.settings);
		return `| ${linked(row)} | ${settings}${row.note === undefined ? '' : `. ${row.note}`} | ${compared} |`;
	});
	const others = UNREACHABLE.map((row) => `| ${linked(row)} | ${row.because} |`);
	expect(shown.filter((line) => line.startsWith('| ['))).toEqual([...signed, ...others]);
});
