/** The settings of real services are found from a delivery and the secret or key alone, and nothing that a stranger makes is a fit. */
import nodeCrypto from 'node:crypto';

import { readTime } from '../../api/signature/time.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import { SETTINGS } from '../../api/signature/settings.ts';
import type { Setting, VerificationSettings } from '../../api/signature/settings.ts';
import { FORM } from '../../credentials/form.ts';
import { adviceOf } from '../../nodes/WalletServiceTrigger/advice.ts';
import { Budget } from '../../nodes/WalletServiceTrigger/findSettings/budget.ts';
import { findSettings, styleOf } from '../../nodes/WalletServiceTrigger/findSettings/findSettings.ts';
import { ADDRESS, BODY, NOT_EXPRESSIBLE, NOW, SCHEMES, TIME, UUID } from '../fixtures/webhookSchemes.ts';
import type { Scheme } from '../fixtures/webhookSchemes.ts';
import { openSsl, openSslKeys } from './openSsl.ts';

/** What every sender and every proxy adds. */
const USUAL_HEADERS = {
	host: 'n8n.example.com',
	'content-type': 'application/json',
	'user-agent': 'Sender/1.0',
	'content-length': '120',
	accept: '*/*',
	'accept-encoding': 'gzip',
	'x-forwarded-for': '203.0.113.9',
	'x-request-id': '7c0f1a52b3d94e6f8a7b6c5d4e3f2a1b',
	'x-b3-traceid': '80f198ee56343ba864fe8b2a57d3eff7',
	traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

/** A credential in which only the secret or the key was entered. */
const credentialFor = ({ secret, publicKey }: Pick<Scheme, 'secret' | 'publicKey'>): VerificationSettings =>
	publicKey === undefined
		? { webhookStyle: 'default', webhookSecret: secret }
		: { webhookStyle: 'custom', webhookVerification: 'publicKey', webhookPublicKey: publicKey };

async function search(
	credential: VerificationSettings,
	headers: Record<string, string>,
	body = BODY,
	// Without a clock, so that a busy machine ends no search.
	budget = new Budget(() => 0),
) {
	const delivery = { headers: { ...USUAL_HEADERS, ...headers }, body: Buffer.from(body) };
	return await findSettings(credential, delivery, { address: ADDRESS, budget });
}

/** The settings that are not their defaults, without those of other ways to verify. */
const essential = ({ ...settings }: VerificationSettings) =>
	Object.fromEntries(
		Object.entries(settings).filter(
			([name, value]) =>
				name === 'webhookVerification' || value !== firstOf(name as keyof VerificationSettings),
		),
	);
const firstOf = (name: keyof VerificationSettings) => {
	const setting: Setting = SETTINGS[name];
	return setting.choices === undefined ? (setting.default ?? '') : Object.keys(setting.choices)[0];
};

describe('schemes of real services', () => {
	const tries: number[] = [];

	test.each(SCHEMES)('$name', async ({ name, settings, style, headers, ...given }) => {
		const credential = credentialFor(given);
		const sent = headers(BODY);
		const budget = new Budget(() => 0);
		const finding = await search(credential, sent, BODY, budget);
		tries.push(budget.tries);
		if (finding.outcome !== 'fits') throw new Error(finding.outcome);
		expect(essential(finding.settings)).toEqual(essential(settings));
		expect(styleOf(finding.settings)).toBe(name.includes('default') ? 'default' : style);
		// What is found verifies the delivery, and no other body.
		const verify = compileVerifier({ ...credential, ...finding.settings, webhookStyle: 'custom' });
		expect(verify({ headers: sent, body: Buffer.from(BODY) }, NOW).ok).toBe(true);
		const other = BODY.replace('100.00', '900.00');
		const isToken = finding.settings.webhookVerification === 'token';
		expect(verify({ headers: sent, body: Buffer.from(other) }, NOW).ok).toBe(isToken);
	});

	test('they are many, most are found with few tries, and none needs many', () => {
		expect(tries).toHaveLength(SCHEMES.length);
		expect(tries.length).toBeGreaterThanOrEqual(50);
		tries.sort((one, other) => one - other);
		expect(tries[tries.length / 2]).toBeLessThan(20);
		expect(tries.at(-1)).toBeLessThan(700);
	});

	test.each(NOT_EXPRESSIBLE)('$name, is not a fit', async ({ headers, ...given }) => {
		expect(await search(credentialFor(given), headers(BODY))).toEqual({
			outcome: expect.stringMatching(/^(?:nothing|noSignature)$/),
		});
	});
});

const outcomeOf = async (...given: Parameters<typeof search>) => (await search(...given)).outcome;
const NO_FIT = expect.stringMatching(/^(?:nothing|noSignature|sha1)$/);
const signsTime = ({ webhookPayload = '' }: VerificationSettings) => webhookPayload.includes('{timestamp}');

describe('what proves nothing is no fit', () => {
	const OTHER: Record<string, Partial<Scheme>> = {
		secret: { secret: 'another-secret-0123456789' },
		publicKey: { publicKey: openSslKeys('ed25519').publicKey },
	};

	test.each(SCHEMES)('$name: a wrong secret or key, and another body', async ({ headers, ...given }) => {
		const wrong = { ...given, ...OTHER[given.secret === undefined ? 'publicKey' : 'secret'] };
		expect(await outcomeOf(credentialFor(wrong), headers(BODY))).toEqual(NO_FIT);
		if (given.settings.webhookVerification === 'token') return;
		const changed = BODY.replace('100.00', '900.00');
		expect(await outcomeOf(credentialFor(given), headers(BODY), changed)).toEqual(NO_FIT);
	});

	test.each(SCHEMES)('$name: a header that is missing', async ({ headers, settings, ...given }) => {
		const { webhookHeader, webhookTimestampHeader, webhookIdHeader } = settings;
		const named = [webhookHeader, webhookTimestampHeader, webhookIdHeader].filter(Boolean);
		for (const name of named) {
			const { [name as string]: _, ...rest } = headers(BODY);
			expect(await outcomeOf(credentialFor(given), rest)).toEqual(NO_FIT);
		}
	});

	const timed = SCHEMES.filter(({ settings }) => signsTime(settings));
	test.each(timed)(
		'$name: a captured delivery never fits without its time',
		async ({ headers, settings, ...given }) => {
			const credential = credentialFor(given);
			const sent = headers(BODY);
			const { webhookTimestampHeader: timeHeader = '', webhookIdHeader: idHeader = '' } = settings;
			const now = String(Number(TIME) + 3600);
			const time = sent[timeHeader] ?? TIME;
			const id = sent[idHeader] ?? UUID;
			/** What a stranger can make of it: other headers, and what is signed cut at other places. */
			const attacks = [
				{ 'x-webhook-id': time, 'x-webhook-timestamp': now },
				{ 'x-webhook-id': `v0:${time}`, 'x-webhook-timestamp': now, [timeHeader || 'x-time']: now },
				{ 'x-webhook-id': `${id}.${time}`, [timeHeader || 'x-time']: now },
				{ [timeHeader || 'x-time']: `${id}.${time}` },
				{ [idHeader || 'x-webhook-id']: `${id}.${time}`, [timeHeader || 'x-time']: now },
			];
			// A public key takes ten times as long.
			for (const attack of given.publicKey === undefined ? attacks : attacks.slice(0, 2)) {
				const finding = await search(credential, { ...sent, ...attack });
				if (finding.outcome !== 'fits') continue;
				expect(signsTime(finding.settings)).toBe(true);
				expect(readTime(finding.time!)).toBe(NOW);
			}
		},
	);

	test('a public key is never a secret, in any form', async () => {
		const { publicKey, der } = openSslKeys('rsa2048');
		const point = openSslKeys('ed25519').der.subarray(-32);
		const attempts: Array<[key: string, secrets: Array<string | Buffer>]> = [
			[publicKey, [publicKey, publicKey.trim(), der]],
			[der.toString('base64'), [der.toString('base64'), der]],
			[point.toString('hex'), [point.toString('hex'), point]],
		];
		for (const [webhookPublicKey, secrets] of attempts)
			for (const secret of secrets) {
				const text = Buffer.from(secret as string).toString('base64');
				const sign = (encoding: 'hex' | 'base64') =>
					openSsl(BODY, text, { encoding, secretEncoding: 'base64' });
				const headers = {
					'x-signature': sign('hex'),
					'x-other': sign('base64'),
					'x-token': webhookPublicKey,
				};
				expect(await outcomeOf(credentialFor({ publicKey: webhookPublicKey }), headers)).toEqual(NO_FIT);
			}
	});

	test.each(['', 'a', '1234567'])(
		'the secret %j, which anyone could guess, is not looked for',
		async (secret) => {
			const headers = { 'x-token': secret, 'x-signature': secret && openSsl(BODY, secret) };
			expect(await outcomeOf({ webhookStyle: 'default', webhookSecret: secret }, headers)).toBe(
				'shortSecret',
			);
		},
	);

	test('a name or a label that could be a secret or a message is not looked at', async () => {
		const secret = 'fake-secret-0123';
		const signature = openSsl(BODY, secret);
		const headers: Array<Record<string, string>> = [
			{ 'x<b>signature': signature },
			{ ['x'.repeat(60)]: signature },
			{ 'x-signature': `AKIA5EXAMPLE0KEY42:${signature}` },
			{ 'x-signature': `call-this-number-now=${signature}` },
			{ 'x-signature': `<b>=${signature}` },
		];
		for (const each of headers) expect(await outcomeOf(credentialFor({ secret }), each)).toEqual(NO_FIT);
	});
});

describe('what else a search recognizes', () => {
	const secret = 'fake-secret-0123';
	const credential = credentialFor({ secret });

	test('a public key in the field of the secret', async () => {
		const { headers, publicKey = '', settings } = SCHEMES.find(({ name }) => name === 'Discord')!;
		const finding = await search(credentialFor({ secret: publicKey }), headers(BODY));
		expect(finding).toMatchObject({ outcome: 'fits', settings: { webhookPublicKey: publicKey } });
		expect(finding).toMatchObject({ settings: essential(settings) });
	});

	test('a signature before a token, and one with a time before one without', async () => {
		const token = { 'x-a-token': secret, 'x-signature': openSsl(BODY, secret) };
		expect(await search(credential, token)).toMatchObject({ settings: { webhookVerification: 'hmac' } });
		const both = {
			'x-a-signature': openSsl(BODY, secret),
			'x-signature': openSsl(`${TIME}#${BODY}`, secret),
			'x-timestamp': TIME,
		};
		expect(await search(credential, both)).toMatchObject({
			settings: { webhookPayload: '{timestamp}#{body}' },
		});
	});

	test('headers whose names begin alike, when the same time stands in several', async () => {
		const headers = {
			'x-time': TIME,
			'acme-time': TIME,
			'x-acme-time': TIME,
			'x-acme-signature': openSsl(`${TIME}.${BODY}`, secret),
		};
		expect(await search(credential, headers)).toMatchObject({
			settings: { webhookTimestampHeader: 'x-acme-time' },
		});
	});

	test('SHA-1', async () => {
		const signature = openSsl(BODY, secret, { algorithm: 'sha1' });
		for (const header of [signature, `sha1=${signature}`])
			expect(await outcomeOf(credential, { 'x-hub-signature': header })).toBe('sha1');
		expect(
			await outcomeOf(credential, { 'x-hub-signature': openSsl(BODY, 'other', { algorithm: 'sha1' }) }),
		).toBe('nothing');
	});

	/** The same event, as programs write it: by hand, since these bytes are what is signed. */
	const SPACED = '{"event": "x", "id": "1", "list": [], "more": [1, {"a": 1.50}], "name": "Zoë / <b>"}';
	const WRITTEN: Array<[program: string, text: string]> = [
		['Python', '{"event": "x", "id": "1", "list": [], "more": [1, {"a": 1.50}], "name": "Zo\\u00eb / <b>"}'],
		['JavaScript', '{"event":"x","id":"1","list":[],"more":[1,{"a":1.50}],"name":"Zoë / <b>"}'],
		['PHP', '{"event":"x","id":"1","list":[],"more":[1,{"a":1.50}],"name":"Zo\\u00eb \\/ <b>"}'],
		['Go', '{"event":"x","id":"1","list":[],"more":[1,{"a":1.50}],"name":"Zoë / \\u003cb\\u003e"}'],
		[
			'a person',
			'{\n  "event": "x",\n  "id": "1",\n  "list": [],\n  "more": [\n    1,\n    {\n      "a": 1.50\n    }\n  ],\n  "name": "Zoë / <b>"\n}',
		],
		['a program that ends the line', `${SPACED}\n`],
	];
	test.each(WRITTEN)('a body that %s wrote, and that was written anew', async (_, signed) => {
		const arrived = ['{"event":"x","id":"1","list":[],"more":[1,{"a":1.50}],"name":"Zoë / <b>"}', SPACED];
		for (const body of arrived.filter((each) => each !== signed)) {
			const finding = await search(
				credential,
				{ 'x-sig': openSsl(`${TIME}.${signed}`, secret), 'x-time': TIME },
				body,
			);
			expect(finding).toMatchObject({
				outcome: 'rewritten',
				settings: { webhookPayload: '{timestamp}.{body}' },
			});
			const changed = body.replace('1.50', '9.50');
			expect(await outcomeOf(credential, { 'x-sig': openSsl(signed, secret) }, changed)).toBe('nothing');
		}
	});
});

test.each(['hmac', 'publicKey', 'token'] as const)(
	'the settings of %s stand in the order of the form',
	(method) => {
		const settings: VerificationSettings = {
			webhookVerification: method,
			webhookHeader: 'x-signature',
			webhookAlgorithm: 'sha512',
			webhookSecretEncoding: 'hex',
			webhookPayload: '{id}.{timestamp}.{body}',
			webhookPublicKey: 'in the secret',
			webhookSignatureFormat: 'v1={signature}',
			webhookIdHeader: 'x-id',
			webhookTimestampHeader: 'x-time',
		};
		const credential: VerificationSettings = {
			webhookStyle: 'default',
			webhookVerification: 'none',
			webhookSecret: 'fake',
		};
		const advice = adviceOf({ outcome: 'fits', settings }, { credential, address: ADDRESS, now: NOW });
		const named = advice.split('<br>').flatMap((line) => /^(Webhook [\w ]+): /.exec(line)?.[1] ?? []);
		const form = FORM.map(({ displayName }) => displayName);
		expect(named.length).toBe({ hmac: 9, publicKey: 8, token: 3 }[method]);
		expect(named).toEqual([...named].sort((one, other) => form.indexOf(one) - form.indexOf(other)));
	},
);

describe('a hostile delivery', () => {
	/** Milliseconds of a slow machine, counted and not measured: 5 for each MiB that is hashed, 1 if copied, 1 for each signature. */
	const countWork = () => {
		let milliseconds = 0;
		const sizeOf = (data: unknown) => (5 * Buffer.byteLength(data as string)) / 2 ** 20;
		const count = (holder: object, name: string, work: (given: unknown[]) => number) => {
			const original = Reflect.get(holder, name) as (...given: unknown[]) => unknown;
			jest.spyOn(holder, name as never).mockImplementation(function (this: unknown, ...given: unknown[]) {
				milliseconds += work(given);
				return original.apply(this, given);
			} as never);
		};
		count(nodeCrypto, 'hash', ([, data]) => sizeOf(data));
		count(nodeCrypto, 'verify', ([, data]) => 1 + sizeOf(data));
		count(nodeCrypto.Hmac.prototype, 'update', ([data]) => sizeOf(data));
		count(nodeCrypto.Hmac.prototype, 'digest', () => 1);
		count(
			Buffer,
			'concat',
			([parts]) => (parts as Buffer[]).reduce((sum, part) => sum + sizeOf(part), 0) / 5,
		);
		return () => milliseconds;
	};
	afterEach(() => jest.restoreAllMocks());

	const signature = (at: number) =>
		nodeCrypto
			.createHash(at % 2 ? 'sha256' : 'sha512')
			.update(String(at % 40))
			.digest(at % 3 ? 'hex' : 'base64');
	const headersOf = (value: (at: number) => string) =>
		Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x-signature-id-${at}-id`, value(at)]));
	const hostile = {
		'of each kind': headersOf(
			(at) => [TIME, signature(at), `t=${TIME},v1=${signature(at)}`, `id-${at}-0123456789`][at % 4]!,
		),
		// No key of the credential has made one, so that none is computed.
		'of another length': headersOf(
			(at) => [String(Number(TIME) + at), nodeCrypto.hash('sha1', String(at))][at % 2]!,
		),
	};
	const bodies = [JSON.stringify({ event: 'admin_funding', note: 'x'.repeat(2 ** 20 - 100) }), BODY];
	const credentials = {
		'a secret': credentialFor({ secret: `whsec_${'A'.repeat(22)}${'b'.repeat(22)}` }),
		'an RSA key': credentialFor({ publicKey: openSslKeys('rsa2048').publicKey }),
		'a P-256 key': credentialFor({ publicKey: openSslKeys('p256').publicKey }),
	};

	test.each(
		Object.entries(credentials).flatMap(([key, credential]) =>
			Object.entries(hostile).map(([kind, headers]) => ({ key, kind, credential, headers })),
		),
	)('of 1 MiB with 300 headers $kind takes bounded work, with $key', async ({ credential, headers }) => {
		for (const body of bodies) {
			const clock = countWork();
			const budget = new Budget(clock);
			let turns = 0;
			const turning = () => {
				turns += 1;
				next = setImmediate(turning);
			};
			let next = setImmediate(turning);
			const outcome = await outcomeOf(credential, headers, body, budget);
			clearImmediate(next);
			jest.restoreAllMocks();
			expect(outcome).toMatch(/^(?:nothing|stopped)$/);
			expect(budget.tries).toBeLessThanOrEqual(4000);
			// The try that is under way hashes the body twice at most, copies it, and checks one signature.
			expect(clock()).toBeLessThan(250 + 12 + 1);
			expect(turns).toBeGreaterThanOrEqual(Math.floor(clock() / 40));
		}
	});

	test('of the last header that counts is found, and one behind it is not', async () => {
		const secret = 'fake-secret-0123';
		const filler = Object.fromEntries(Array.from({ length: 199 }, (_, at) => [`x-filler-${at}`, 'none']));
		const signed = { 'x-signature': openSsl(BODY, secret) };
		const delivery = (headers: Record<string, string>) => ({ headers, body: Buffer.from(BODY) });
		const found = async (headers: Record<string, string>) =>
			(await findSettings(credentialFor({ secret }), delivery(headers), { address: ADDRESS })).outcome;
		expect(await found({ ...filler, ...signed })).toBe('fits');
		expect(await found({ ...filler, 'x-filler-199': 'none', ...signed })).toBe('noSignature');
	});

	test('ends at 4,000 tries or 250 ms, and lets others work every 20 ms', async () => {
		const many = new Budget(() => 0);
		while (await many.take());
		expect(many.tries).toBe(4000);
		let now = 0;
		const slow = new Budget(() => now);
		while (await slow.take()) now += 5;
		expect([slow.tries, now]).toEqual([50, 250]);
	});
});
