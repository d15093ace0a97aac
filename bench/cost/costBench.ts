/** The cost of the package's own code, as published, without n8n and without a network. */
import { createHmac } from 'node:crypto';
import { CATALOG, getEndpoint } from '../../api/catalog.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { isField, isList, UNDOCUMENTED } from '../../api/shape.ts';
import type { FieldKind, RecordShape, RequestFieldKind } from '../../api/shape.ts';
import { SAMPLES } from '../../sandbox/samples.ts';
import { atMost } from '../results.ts';
import type { Bench, Options, Report } from '../results.ts';
import { actionCode, triggerCode } from '../shared/publishedCode.ts';
import type { SigningSettings, VerificationSettings } from '../shared/publishedCode.ts';
import { BODY_BYTES } from '../shared/receivers.ts';

export interface Size {
	/** How many times each thing is done. */
	times: number;
	/** How many deliveries the trigger remembers; ascending. */
	remembered: number[];
}

const FULL: Size = { times: 20_000, remembered: [1000, 100_000, 1_000_000] };
/** Every figure is there, but it is not precise. */
export const SHORT: Size = { times: 100, remembered: [100, 1000] };

/** Microseconds. */
const MOST_FOR_DELIVERY = 30;
/** The largest acceptable ratio of a cost that should not grow. */
const FLAT = 1.25;
const LIST_LENGTH = 10;
const RUNS = [1, 100, 1000];

const title = 'Cost inside the process';
const how = `Processor time of the thread (\`process.threadCpuUsage\`), in the published JavaScript. A delivery: verify (HMAC-SHA256), parse, read, filter, look for it among the remembered ones and make the item. An item: build the request, sign it, read the answer. A payout: the checks and the ledger of payments. n8n's own work and the network are not included.`;

export const costBench: Bench = {
	title,
	how,
	run: async (report: Report, { short }: Options) => await measure(report, short ? SHORT : FULL),
};

export async function measure(report: Report, { times, remembered }: Size): Promise<void> {
	report.table('', ['µs']);
	const receive = receiver();
	const kinds: number[] = [];
	for (const sample of Object.values(SAMPLES))
		kinds.push(await costOf(times, () => signedDelivery(sample), receive));
	const what = `a delivery of ${BODY_BYTES} bytes, the dearest of ${kinds.length} kinds`;
	report.row(what, [Math.max(...kinds)], 1, atMost(MOST_FOR_DELIVERY));
	await measureRemembered(report, times, remembered);
	const items: number[] = [];
	for (const entry of CATALOG) items.push(await costOfItem(times, entry));
	report.row(`an item, the dearest of ${items.length} operations`, [Math.max(...items)], 1);
	await measurePayouts(report, times);
}

/** Adds the cost of a delivery after each of these numbers of other deliveries. */
async function measureRemembered(report: Report, times: number, counts: number[]): Promise<void> {
	const memory = triggerCode().memoryOf(TRIGGER);
	let done = 0;
	let least = Infinity;
	for (const count of counts) {
		for (; done < count; done += 1) (await memory.claim({ key: `remembered${done}` }))?.(true);
		const cost = await costOf(times, () => signedDelivery(SAMPLES.admin_funding), receiver());
		least = Math.min(least, cost);
		const isFlat = cost <= FLAT * least;
		report.row(`a delivery after ${count.toLocaleString('en')} others`, [cost], 1, {
			words: `flat: <= ${FLAT} of the least above`,
			isMet: () => isFlat,
		});
	}
}

const TRIGGER = 'workflow/node';
const SECRET = 'only-for-this-run';

const VERIFICATION: VerificationSettings = {
	webhookVerification: 'hmac',
	webhookHeader: 'x-svc-signature',
	webhookSecret: SECRET,
	webhookSecretEncoding: 'utf8',
	webhookAlgorithm: 'sha256',
	webhookSignatureEncoding: 'hex',
	webhookPayload: '{body}',
	webhookSignatureFormat: '{signature}',
	webhookTolerance: 300,
};

/** Does what the trigger does with a delivery, without n8n's record. */
function receiver() {
	const { compileVerifier, parseDelivery, isWanted, toItem, identityOf, memoryOf } = triggerCode();
	const verify = compileVerifier(VERIFICATION);
	const filters = { unknownEvents: false, statuses: [], currencies: [], minimumAmount: '' };
	const wanted = { events: Object.keys(SAMPLES), ...filters };
	return async (delivery: ReturnType<typeof signedDelivery>) => {
		const now = new Date();
		if (!verify(delivery, now.getTime()).ok) throw new Error('The delivery is not verified');
		const received = parseDelivery(delivery.body);
		if (!received.ok || !isWanted(received.event, wanted)) throw new Error('The delivery is not read');
		const item = toItem(received.event, now, { includeRaw: true });
		const complete = await memoryOf(TRIGGER).claim(identityOf(received.event));
		if (complete === undefined) throw new Error('The delivery is taken for a duplicate');
		complete(true);
		return item;
	};
}

let sent = 0;

/** A delivery of BODY_BYTES with an id of its own. */
function signedDelivery(sample: object) {
	const delivery = { ...sample, id: `e${(sent += 1)}`, note: '' };
	delivery.note = 'x'.repeat(BODY_BYTES - JSON.stringify(delivery).length);
	const body = Buffer.from(JSON.stringify(delivery));
	const signature = createHmac('sha256', SECRET).update(body).digest('hex');
	return { body, headers: { 'x-svc-signature': signature } };
}

const SIGNING: SigningSettings = {
	serviceName: 'svc',
	apiKey: 'only-for-this-run',
	timestampFormat: 'unixMilliseconds',
	signatureMethod: 'hmac',
	signatureSecret: 'only-for-this-run-too',
};

/** The cost of an item: build the request, sign it, read the answer. */
async function costOfItem(times: number, { method, path, endpoint }: (typeof CATALOG)[number]) {
	const { buildRequest, readResponse, signRequest } = actionCode();
	const answer = { statusCode: 200, body: answerOf(endpoint) };
	return await costOf(
		times,
		() => parametersOf(endpoint),
		(input) => {
			const read = (name: string) => input[name];
			const built = buildRequest(endpoint, { value: read, expression: read });
			if (!built.ok) throw new Error(built.issues.map(({ message }) => message).join(', '));
			const url = new URL(path, 'http://127.0.0.1');
			signRequest(SIGNING, { method, url, body: built.request.body ?? '' }, Date.now());
			const result = readResponse(endpoint, answer, { simplify: true });
			if (!result.ok) throw new Error(result.failure.message);
		},
	);
}

/** Adds what the checks and the ledger of payments cost per payout. The service's answers come at once. */
async function measurePayouts(report: Report, times: number): Promise<void> {
	const { ExecutionLedger, payItems } = actionCode();
	const entry = getEndpoint('fiatWallet.createPayout');
	const send = () => Promise.resolve({ ok: true as const, items: [{ payoutId: 'po_1', status: 'pending' }] });
	const options = { dryRun: false, maximumTotal: '1000000000' };
	const parameters: Record<string, unknown> = { ...parametersOf(entry.endpoint), options };
	const read = (name: string) => parameters[name];
	const pay = async (payouts: number) => {
		const { stoppedAt } = await payItems({
			entry,
			items: Array.from({ length: payouts }, () => ({ value: read, expression: read, evaluate: read })),
			ledger: new ExecutionLedger({}, 0, '1'),
			send,
			dryRun: send,
			continueOnFail: false,
			isCancelled: () => false,
		});
		if (stoppedAt !== undefined) throw new Error(stoppedAt.failure.message);
	};
	const costs: number[] = [];
	for (const payouts of RUNS) costs.push((await costOf(times / payouts, () => payouts, pay)) / payouts);
	const [, hundred = NaN, thousand = NaN] = costs;
	costs.forEach((cost, index) => {
		const linear = { words: `linear: <= ${FLAT} of 100`, isMet: () => thousand <= FLAT * hundred };
		const what = `a payout, ${RUNS[index]?.toLocaleString('en')} in a run`;
		report.row(what, [cost], 1, index === RUNS.length - 1 ? linear : undefined);
	});
}

/** Returns the microseconds of `use` for each input. `make` is not measured. Half as many go first, so that the code is compiled. */
async function costOf<I>(times: number, make: () => I, use: (input: I) => unknown): Promise<number> {
	const spent = async (count: number) => {
		const inputs = Array.from({ length: Math.max(1, count) }, make);
		const before = process.threadCpuUsage();
		for (const input of inputs) await use(input);
		const { user, system } = process.threadCpuUsage(before);
		return (user + system) / inputs.length;
	};
	await spent(times / 2);
	// One measurement for all, because systems count the time of a thread in ticks of milliseconds.
	return await spent(times);
}

const INPUTS: Record<RequestFieldKind, string> = {
	text: 'customer-0042',
	code: 'NGN',
	url: 'https://example.com/receipt.pdf',
	amount: '1234.56789012',
	signedAmount: '-1234.56789012',
};

function parametersOf({ request }: Endpoint): Record<string, string> {
	if (request === UNDOCUMENTED)
		return { specifyBody: 'json', requestBody: '{"alias":"deposits-usdt","amount":0.5}' };
	return Object.fromEntries(Object.entries(request).map(([name, { kind }]) => [name, INPUTS[kind]]));
}

/** An answer with every field of the table, as JSON. */
function answerOf({ response }: Endpoint): string {
	if (response === UNDOCUMENTED) return '{"id":"1","alias":"deposits-usdt","status":"active","balance":0.5}';
	if (!isList(response)) return recordOf(response);
	const elements = Array.from({ length: LIST_LENGTH }, () => recordOf(response.element));
	return `{"${response.listKey}":[${elements.join()}]}`;
}

function recordOf(shape: RecordShape): string {
	const entries = Object.entries(shape).map(([key, entry]) => {
		const value = isField(entry) ? valueOf(entry[1]) : recordOf(entry);
		return `${JSON.stringify(key)}:${value}`;
	});
	return `{${entries.join()}}`;
}

function valueOf(kind: FieldKind): string {
	if (kind === 'number') return '1234.56789012';
	if (kind === 'decimal' || kind === 'money') return '"1234.56789012"';
	if (kind === 'time') return '"2025-01-31T12:00:00Z"';
	return typeof kind === 'string' ? '"Acme Trading"' : JSON.stringify(kind.oneOf[0]);
}
