/** What the package's own code costs, as it is published, without n8n around it and without a network. */
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CATALOG, getEndpoint } from '../api/catalog.ts';
import type { Endpoint } from '../api/endpoints.ts';
import { isField, isList, UNDOCUMENTED } from '../api/shape.ts';
import type { FieldKind, RecordShape, RequestFieldKind } from '../api/shape.ts';
import { SIGNATURE_DEFAULTS } from '../api/signature/settings.ts';
import type { SigningSettings, VerificationSettings } from '../api/signature/settings.ts';
import { SAMPLES } from '../sandbox/samples.ts';
import { median } from './results.ts';
import type { Options, Report } from './results.ts';

export const title = 'Cost inside the process';
export const how =
	"Processor time of the thread (`process.threadCpuUsage`), in the published JavaScript. A delivery: verify (HMAC-SHA256), parse, read, filter, look for it among those remembered, make the item, remember, and the text for static data. An item: build the request, sign it, read the answer. n8n's own work and the network are not in it. Allocated: growth of the heap between two collections.";

/** Microseconds for a delivery. */
const DELIVERY_TARGET = 30;
/** What costs the same at every size costs at most so many times as much at the largest. */
const FLAT = 1.25;
const BODY_BYTES = 1024;

/** The published code: TypeScript stripped of its types would run as well, but it is not what n8n loads. */
const published = <T>(module: string): T =>
	createRequire(resolve('package.json'))(`./dist/${module}.js`) as T;

export async function run(report: Report, { short }: Options): Promise<void> {
	const count = short ? 2000 : 20_000;
	await deliveries(report, count);
	await remembered(report, count, short ? [1000, 10_000] : [1000, 100_000, 1_000_000]);
	await items(report, count);
	await manyItems(report, count);
}

interface Cost {
	microseconds: number;
	bytes: number;
}

/** Uses that many inputs, which `make` makes beforehand, unmeasured, after some more for the compiler. */
async function costOf<I>(count: number, make: () => I, use: (input: I) => unknown): Promise<Cost> {
	const inputs = (most: number) => Array.from({ length: most }, make);
	const spent = async (batch: I[], meter: () => number) => {
		const before = meter();
		for (const input of batch) await use(input);
		return (meter() - before) / batch.length;
	};
	await spent(inputs(count / 2), cpuTime);
	// So much fits into the young generation, which nobody collects in between.
	const bytes = [];
	for (let batch = 0; batch < 5; batch += 1) {
		const few = inputs(Math.min(count, 50));
		collectGarbage();
		bytes.push(await spent(few, () => process.memoryUsage().heapUsed));
	}
	// In one piece, because systems count the time of a thread in ticks of milliseconds.
	return { microseconds: await spent(inputs(count), cpuTime), bytes: median(bytes) };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function cpuTime(): number {
	const { user, system } = process.threadCpuUsage();
	return user + system;
}

const show = ({ microseconds, bytes }: Cost) =>
	`${microseconds.toFixed(1)} µs, ${(bytes / 1024).toFixed(1)} KiB allocated`;

type Parse = typeof import('../nodes/WalletService/trigger/parse.ts');
type Filter = typeof import('../nodes/WalletService/trigger/filter.ts');
type Item = typeof import('../nodes/WalletService/trigger/item.ts');
type Deduplication = typeof import('../nodes/WalletService/trigger/deduplication/index.ts');
type Signing = typeof import('../api/signature/requestSigning.ts');
type Verification = typeof import('../api/signature/webhookVerification.ts');

const VERIFICATION: VerificationSettings = {
	...SIGNATURE_DEFAULTS,
	webhookVerification: 'hmac',
	webhookSecret: 'only-for-this-run',
};

let sent = 0;

function signedDelivery(sample: object) {
	const delivery = { ...sample, id: `e${(sent += 1)}`, note: '' };
	delivery.note = 'x'.repeat(BODY_BYTES - JSON.stringify(delivery).length);
	const body = Buffer.from(JSON.stringify(delivery));
	const signature = createHmac('sha256', VERIFICATION.webhookSecret!).update(body).digest('hex');
	return { body, headers: { 'x-svc-signature': signature } };
}

/** What the trigger does with a delivery, and its execution after it; `static data` goes through its text. */
function receiver() {
	const { verifyDelivery } = published<Verification>('api/signature/webhookVerification');
	const { parseDelivery } = published<Parse>('nodes/WalletService/trigger/parse');
	const { isWanted } = published<Filter>('nodes/WalletService/trigger/filter');
	const { toItem } = published<Item>('nodes/WalletService/trigger/item');
	const { claim, recordExecution } = published<Deduplication>(
		'nodes/WalletService/trigger/deduplication/index',
	);
	const wanted = {
		events: Object.keys(SAMPLES),
		unknownEvents: false,
		statuses: [],
		currencies: [],
		minimumAmount: '',
	};
	let stored = '';
	return async (delivery: ReturnType<typeof signedDelivery>) => {
		const now = new Date();
		if (!verifyDelivery(VERIFICATION, delivery, now.getTime()).ok) throw new Error('Not verified');
		const received = parseDelivery(delivery.body);
		if (!received.ok || !isWanted(received.event, wanted)) throw new Error('Not read');
		const { deliveryKey } = received.event;
		const complete = await claim('workflow/node', deliveryKey, stored);
		const item = toItem(received.event, now, { includeRaw: true });
		complete!(true);
		const keys = recordExecution('workflow/node', deliveryKey, stored) as { toJSON(): string };
		stored = keys.toJSON();
		return item;
	};
}

async function deliveries(report: Report, count: number): Promise<void> {
	report.group(`A delivery of ${BODY_BYTES} bytes, by kind`);
	const receive = receiver();
	for (const [kind, sample] of Object.entries(SAMPLES)) {
		const cost = await costOf(count, () => signedDelivery(sample), receive);
		const met = cost.microseconds <= DELIVERY_TARGET;
		report.row({ what: kind, figure: show(cost), target: `<= ${DELIVERY_TARGET} µs`, met });
	}
}

async function remembered(report: Report, count: number, before: number[]): Promise<void> {
	report.group('A delivery, by how many went before');
	const receive = receiver();
	const { claim, recordExecution } = published<Deduplication>(
		'nodes/WalletService/trigger/deduplication/index',
	);
	let done = 0;
	let least = Infinity;
	for (const most of before) {
		for (; done < most; done += 1) {
			(await claim('workflow/node', `remembered${done}`, ''))?.(true);
			recordExecution('workflow/node', `remembered${done}`, '');
		}
		const cost = await costOf(count, () => signedDelivery(SAMPLES.admin_funding), receive);
		const ratio = cost.microseconds / (least = Math.min(least, cost.microseconds));
		report.row({
			what: `after ${most.toLocaleString('en')}`,
			figure: `${show(cost)}, ${ratio.toFixed(2)} of the least above`,
			target: `flat: <= ${FLAT}`,
			met: ratio <= FLAT,
		});
	}
}

const SIGNING: SigningSettings = {
	serviceName: 'svc',
	apiKey: 'only-for-this-run',
	timestampFormat: 'unixMilliseconds',
	signatureMethod: 'hmac',
	signatureSecret: 'only-for-this-run-too',
};

const INPUTS: Record<RequestFieldKind, string> = {
	text: 'customer-0042',
	code: 'NGN',
	url: 'https://example.com/receipt.pdf',
	amount: '1234.56789012',
	signedAmount: '-1234.56789012',
};

async function items(report: Report, count: number): Promise<void> {
	report.group('An item, by operation');
	const { buildRequest } = published<typeof import('../nodes/WalletService/action/request.ts')>(
		'nodes/WalletService/action/request',
	);
	const { readAnswer } = published<typeof import('../nodes/WalletService/action/response.ts')>(
		'nodes/WalletService/action/response',
	);
	const { signRequest } = published<Signing>('api/signature/requestSigning');
	for (const { id, method, path, endpoint } of CATALOG) {
		const parameters = parametersOf(endpoint);
		const answer = { statusCode: 200, body: answerOf(endpoint) };
		const cost = await costOf(
			count,
			() => parameters,
			(input) => {
				const built = buildRequest(endpoint, (parameter) => input[parameter]);
				if (!built.ok) throw new Error(built.issues[0].message);
				const url = new URL(path, 'http://127.0.0.1');
				signRequest(SIGNING, { method, url, body: built.request.body ?? '' }, Date.now());
				const read = readAnswer(endpoint, answer, true);
				if (!read.ok) throw new Error(read.failure.message);
			},
		);
		report.row({ what: id, figure: show(cost) });
	}
}

function parametersOf({ request }: Endpoint): Record<string, string> {
	if (request === UNDOCUMENTED) return { requestBody: '{"alias":"deposits-usdt","amount":0.5}' };
	return Object.fromEntries(Object.entries(request).map(([name, { kind }]) => [name, INPUTS[kind]]));
}

/** An answer of the form that the table has; lists of ten. */
function answerOf({ response }: Endpoint): string {
	if (response === UNDOCUMENTED) return '{"alias":"deposits-usdt","status":"active","balance":0.5}';
	if (!isList(response)) return recordOf(response);
	return `{"${response.listKey}":[${Array.from({ length: 10 }, () => recordOf(response.element)).join()}]}`;
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

/** Payouts through the guard, whose answers are there at once: what it adds to build, sign and read. */
async function manyItems(report: Report, count: number): Promise<void> {
	report.group('Payouts through the money guard, by items in a run');
	const { callOnce } = published<typeof import('../nodes/WalletService/action/moneyGuard.ts')>(
		'nodes/WalletService/action/moneyGuard',
	);
	const { endpoint: createPayout } = getEndpoint('fiatWallet.createPayout');
	const send = async () => ({ ok: true as const, items: [{ payoutId: 'po_1', status: 'pending' }] });
	const pay = async (contexts: ReturnType<typeof runOf>) =>
		await Promise.all(
			contexts.map(async (context) => {
				const read = await callOnce(context as never, createPayout, { send, rehearse: send });
				if (!read.ok) throw new Error(read.failure.message);
			}),
		);
	let of100 = Infinity;
	for (const inOneRun of [1, 100, 1000]) {
		const runs = await costOf(count / inOneRun, () => runOf(inOneRun, createPayout), pay);
		const cost = { microseconds: runs.microseconds / inOneRun, bytes: runs.bytes / inOneRun };
		if (inOneRun === 100) of100 = cost.microseconds;
		report.row({
			what: `${inOneRun.toLocaleString('en')} in a run, for each`,
			figure: show(cost),
			...(inOneRun > 100 && {
				target: `linear: <= ${FLAT} of 100 in a run`,
				met: cost.microseconds <= FLAT * of100,
			}),
		});
	}
}

/** What n8n hands over for each item of one run, as far as the guard asks for it. */
function runOf(count: number, endpoint: Endpoint) {
	const run = { data: { main: [Array.from({ length: count }, () => ({ json: {} }))] } };
	const node = {
		parameters: { ...parametersOf(endpoint), options: { dryRun: false, maximumTotal: '1000000000' } },
	};
	const memory = {};
	return Array.from({ length: count }, (_, item) => ({
		getExecuteData: () => run,
		getItemIndex: () => item,
		getNode: () => node,
		getContext: () => memory,
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		evaluateExpression: (expression: string) => expression,
	}));
}
