/**
 * Measures how long each of very many hostile bodies and signature headers takes, in this process, without n8n.
 * `hostileDeliveries` sends fewer of them to a real n8n, whose own work hides ours.
 */
import { randomBytes, randomInt } from 'node:crypto';
import fc from 'fast-check';
import { hostileBodies, hostileHeaders } from '../shared/hostileBodies.ts';
import { cycle } from '../../bench/shared/lists.ts';
import { triggerCode } from '../../bench/shared/publishedCode.ts';
import type { VerificationSettings } from '../../bench/shared/publishedCode.ts';
import { reportFigures } from '../shared/soakFigures.ts';

const FULL = 100_000;
const SHORT = 2000;
const BATCH = 1000;

/** Milliseconds. */
const HEADER_LIMIT = 0.2;
/** One millisecond for each 1,000 bytes, one at least and 100 at most. */
const bodyLimit = (bytes: number) => Math.min(100, Math.max(1, bytes / 1000));
/** Repetitions of a measurement above the limit. The shortest counts, because other programs share the machine. */
const TRIES = 50;

const TOO_SLOW_BODIES = 'bodies above 1 ms for each KB, or 100 ms';
const TOO_SLOW_HEADERS = `headers above ${HEADER_LIMIT} ms`;
const PASSED = 'headers that passed';

const HEADER = 'x-svc-signature';
const FORMATS: Array<Partial<VerificationSettings>> = [
	{ webhookStyle: 'default' },
	...[
		'sha256={signature}',
		'v1,{signature}',
		't={timestamp},v1={signature}',
		'{signature}.{timestamp}',
		'v1:{timestamp}:{signature}',
	].map((webhookSignatureFormat) => ({
		webhookStyle: 'custom' as const,
		webhookHeader: HEADER,
		webhookSignatureFormat,
		webhookPayload: webhookSignatureFormat.includes('{timestamp}') ? '{timestamp}.{body}' : '{body}',
	})),
];

interface Slowest {
	ms: number;
	what: string;
}

export async function run({ short }: { short: boolean }): Promise<void> {
	const { isWanted, identityOf, parseDelivery, signDelivery, toItem, compileVerifier } = triggerCode();
	const filters = {
		events: ['admin_funding'],
		unknownEvents: true,
		statuses: ['successful'],
		currencies: ['USDT'],
		minimumAmount: '0.1',
	};
	const read = (body: Buffer) => {
		const parsed = parseDelivery(body);
		if (!parsed.ok) return;
		isWanted(parsed.event, filters);
		toItem(parsed.event, new Date(0), { includeRaw: true });
		identityOf(parsed.event);
	};
	const settings = FORMATS.map((format) => ({
		...format,
		webhookVerification: 'hmac' as const,
		webhookSecret: randomBytes(16).toString('hex'),
	}));
	const verifiers = settings.map(compileVerifier);
	const now = Date.now();
	const delivery = Buffer.from('{}');
	const verify = (header: string | undefined, index: number) =>
		cycle(verifiers, index)({ headers: { [HEADER]: header }, body: delivery }, now).ok;
	for (const [index, each] of settings.entries()) {
		// Settings that refuse everything would be fast.
		const genuine = signDelivery(each, delivery, { timestamp: String(Math.floor(now / 1000)) });
		if (!verify(genuine, index)) throw new Error(`A genuine header is refused: ${genuine}`);
	}

	const count = short ? SHORT : FULL;
	const seed = randomInt(2 ** 31);
	const bodies: Slowest = { ms: 0, what: '' };
	const headers: Slowest = { ms: 0, what: '' };
	const figures = { [TOO_SLOW_BODIES]: 0, [TOO_SLOW_HEADERS]: 0, [PASSED]: 0 };
	const add = (name: keyof typeof figures) => (figures[name] = (figures[name] ?? 0) + 1);

	for (let done = 0; done < count; done += BATCH) {
		const parameters = { seed: seed + done, numRuns: BATCH };
		const sampledHeaders = fc.sample(hostileHeaders, parameters);
		for (const [index, body] of fc.sample(hostileBodies, parameters).entries()) {
			const limit = bodyLimit(body.length);
			const ms = shortestTimeOf(() => read(body), limit);
			if (ms > limit) add(TOO_SLOW_BODIES);
			if (ms > bodies.ms) {
				Object.assign(bodies, { ms, what: `${body.length} bytes, ${body.toString('latin1', 0, 60)}` });
			}
			const header = sampledHeaders[index]?.[HEADER];
			if (verify(header, index)) add(PASSED);
			const headerMs = shortestTimeOf(() => verify(header, index), HEADER_LIMIT);
			if (headerMs > HEADER_LIMIT) add(TOO_SLOW_HEADERS);
			if (headerMs > headers.ms) {
				const format = cycle(FORMATS, index).webhookSignatureFormat ?? '{signature}';
				Object.assign(headers, {
					ms: headerMs,
					what: `${header?.length} characters, ${header?.slice(0, 40)}, with ${format}`,
				});
			}
		}
		// Other work of the process, such as its signals, has its turn.
		await new Promise((resolve) => setImmediate(resolve));
	}
	reportFigures(
		'Reading hostile bodies and headers',
		{
			'bodies and headers': count,
			seed,
			'milliseconds of the slowest body': bodies.ms.toFixed(3),
			'the slowest body': bodies.what,
			'milliseconds of the slowest header': headers.ms.toFixed(3),
			'the slowest header': headers.what,
			...figures,
		},
		Object.keys(figures),
	);
}

/** Milliseconds. Measures once if that is within the limit. */
function shortestTimeOf(work: () => void, limit: number): number {
	let shortest = Infinity;
	for (let tries = 0; tries < TRIES && shortest > limit; tries += 1) {
		const begun = performance.now();
		work();
		shortest = Math.min(shortest, performance.now() - begun);
	}
	return shortest;
}
