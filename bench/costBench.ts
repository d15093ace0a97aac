/** The cost of the package's own code, as published, without n8n and without a network. */
import { createHmac } from 'node:crypto';
import { getOperation } from '../api/catalog.ts';
import { SAMPLES } from '../sandbox/samples.ts';
import { atMost, type Bench, type Options, type Report } from './results.ts';
import * as code from './publishedCode.ts';
import { BODY_BYTES } from './receivers.ts';

/** How many times each thing is done, and how many deliveries the trigger remembers; ascending. */
const FULL = { times: 20_000, remembered: [1000, 100_000, 1_000_000] };
/** Every figure is there, but it is not precise. */
const SHORT = { times: 100, remembered: [100, 1000] };

/** Microseconds. */
const MOST_FOR_DELIVERY = 30;
/** The largest acceptable ratio of a cost that should not grow. */
const FLAT = 1.25;
const RUNS = [1, 100, 1000];

export const costBench: Bench = {
	title: 'Cost inside the process',
	how: `Processor time of the published code, without n8n and the network. A delivery: verify, read, filter, look for it among the remembered ones, make
the item. A payout in a run: the checks and the ledger.`,
	run: async (report: Report, { short }: Options) => await measure(report, short ? SHORT : FULL),
};

async function measure(report: Report, { times, remembered }: typeof FULL): Promise<void> {
	report.table('', ['µs']);
	const receive = receiver();
	const kinds: number[] = [];
	for (const sample of Object.values(SAMPLES))
		kinds.push(await costOf(times, () => signedDelivery(sample), receive));
	const what = `a delivery of ${BODY_BYTES} bytes, the dearest of ${kinds.length} kinds`;
	report.row(what, [Math.max(...kinds)], 1, atMost(MOST_FOR_DELIVERY));
	await measureRemembered(report, times, remembered);
	await measurePayouts(report, times);
}

/** Adds the cost of a delivery after each of these numbers of other deliveries. */
async function measureRemembered(report: Report, times: number, counts: number[]): Promise<void> {
	const memory = code.memoryOf(TRIGGER);
	let done = 0;
	let least = Infinity;
	for (const count of counts) {
		for (; done < count; done += 1) (await memory.claim({ key: `remembered${done}` }))?.(true);
		const cost = await costOf(times, () => signedDelivery(SAMPLES.admin_funding), receiver());
		least = Math.min(least, cost);
		const isFlat = cost <= FLAT * least;
		report.row(`a delivery after ${count.toLocaleString('en')} others`, [cost], 1, {
			words: `flat: <= ${FLAT} of the least`,
			isMet: () => isFlat,
		});
	}
}

const TRIGGER = 'workflow/node';
const SECRET = 'only-for-this-run';

/** Does what the trigger does with a delivery, without n8n's table. */
function receiver() {
	const verify = code.compileVerifier({ webhookStyle: 'default', webhookSecret: SECRET });
	const filters = { unknownEvents: false, statuses: [], currencies: [], minimumAmount: '' };
	const wanted = { events: Object.keys(SAMPLES), ...filters };
	return async (delivery: ReturnType<typeof signedDelivery>) => {
		const now = new Date();
		if (code.isTooLarge(delivery.body)) throw new Error('The delivery is too large');
		if (!verify(delivery, now.getTime()).ok) throw new Error('The delivery is not verified');
		const received = code.parseDelivery(delivery.body);
		if (typeof received === 'string' || !code.isWanted(received, wanted))
			throw new Error('The delivery is not read');
		const item = code.toItem(received, now, { includeRaw: true });
		const complete = await code.memoryOf(TRIGGER).claim(code.identityOf(received));
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

const PAYOUT = { currency: 'NGN', amount: '1234.56789012', account_alias: 'customer-0042' };

const PAY = getOperation('fiatWallet.createPayout');

/** Adds what the checks and the ledger of payments cost per payout. The service's answers come at once. */
async function measurePayouts(report: Report, times: number): Promise<void> {
	const send = () => Promise.resolve({ ok: true as const, items: [{ payoutId: 'po_1', status: 'pending' }] });
	const parameters: Record<string, unknown> = { ...PAYOUT, options: { maximumTotal: '1000000000' } };
	const read = (name: string) => parameters[name];
	const pay = async (payouts: number) => {
		const { stoppedAt } = await code.payItems({
			operation: PAY,
			items: Array.from({ length: payouts }, () => ({ value: read, expression: read, evaluate: read })),
			ledger: new code.ExecutionLedger({}, { executionId: '1', runIndex: 0 }),
			client: { account: () => Promise.resolve('a'), send, describe: send },
			claim: () => Promise.reject(new Error('No payment has a key')),
			look: () => Promise.reject(new Error('No payment has a key')),
			timeInWords: () => '',
			takePayment: () => Promise.reject(new Error('No payment has a Maximum Payments per Day')),
			takeRepeat: () => Promise.reject(new Error('No payment has a Hold Repeats')),
			isRepeat: () => Promise.reject(new Error('No payment has a Hold Repeats')),
			isTool: false,
			isRetry: false,
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

/** Microseconds. */
const SEVERAL_TICKS = 20_000;
const MOST_ROUNDS = 50;

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
	// Systems count the time of a thread in ticks of milliseconds, so one measurement is for many inputs.
	let [microseconds, rounds] = [0, 0];
	do microseconds += await spent(times);
	while (++rounds < MOST_ROUNDS && microseconds * times < SEVERAL_TICKS);
	return microseconds / rounds;
}
