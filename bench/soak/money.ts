/**
 * Payouts through the real n8n while the service fails in every way that the sandbox knows, with Retry On Fail and
 * "Retry execution". Afterwards what the user was told is held against what the service did.
 *
 * The user here believes the node: what is said to be rejected or not sent is paid again in a new execution, what was
 * accepted or is unknown is not. A wrong word about a payout therefore shows as money that moved twice or unseen.
 */
import { rmSync } from 'node:fs';
import type { Execution, Item, Json, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_TYPE, startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { startProxy } from '../../host/proxy.ts';

/** Milliseconds that the node waits for an answer, and that a delayed one takes. */
const TIMEOUT = 1000;
const DELAY = 2000;

/** What goes wrong with the first request for a payout: for the sandbox's control, and what must come of it. */
const FAULTS: Record<string, { control?: Json; acted: boolean; unknown: boolean }> = {
	/** Nobody listens: it does not even become a request. */
	refused: { acted: false, unknown: false },
	dropBefore: { control: { dropBefore: true }, acted: false, unknown: true },
	dropAfter: { control: { dropAfter: true }, acted: true, unknown: true },
	delay: { control: { delayMs: DELAY }, acted: true, unknown: true },
	'HTTP 500, a page': { control: { status: 500 }, acted: false, unknown: true },
	'HTTP 500, but paid': { control: { status: 500, acted: true }, acted: true, unknown: true },
	'HTTP 200, a page': { control: { malformed: true }, acted: true, unknown: true },
	'HTTP 401': { control: { status: 401 }, acted: false, unknown: false },
	'HTTP 409': { control: { status: 409 }, acted: false, unknown: true },
	'HTTP 422': { control: { status: 422 }, acted: false, unknown: false },
	'HTTP 429': { control: { status: 429, retryAfter: 1 }, acted: false, unknown: false },
};
const REFUSED = 'refused';
const NONE = 'none';

/** How a node is set up, and with which workflow a failed execution is tried again; batches take them in turn. */
const WAYS = ([2, 3, 4, 5] as const).flatMap((maxTries) =>
	(['stopWorkflow', 'continueRegularOutput', 'stopWorkflow', 'continueErrorOutput'] as const).map(
		(onError, index) => ({ maxTries, onError, retryWith: index === 0 ? 'original' : 'current' }) as const,
	),
);
const BATCH = 10;
const ROUTE = 'POST /v1/fiat_payout';

interface Payout {
	amount: string;
	fault: string;
	/** The fault that befell each request for it, the oldest first. */
	requests: string[];
	/** Where the user was told that it was accepted, or that this is unknown. */
	told: Set<'item' | 'executed' | 'unknown'>;
	/** Its ids, as the user was told. */
	ids: Set<string>;
	/** The user was told another amount. */
	wrongDigits: boolean;
	/** An execution passed over it without a word. */
	untold: boolean;
}

/** One line of the table, in numbers of payouts. */
export interface Line {
	fault: string;
	asked: number;
	/** By the service, as it says itself. */
	accepted: number;
	/** What would have to be accepted, by the fault alone. */
	expected: number;
	inItems: number;
	inExecuted: number;
	namedUnknown: number;
	/** Accepted, and neither in items nor in `executed` nor named as unknown. */
	unseen: number;
	/** Accepted twice, or sent again when it was or may have been accepted. */
	sentTwice: number;
	wrongDigits: number;
	/** An execution said nothing of it, or it was neither paid nor named in the end. */
	unaccounted: number;
}

export interface Round {
	name: string;
	payouts: number;
	/** How many of them are hit by a fault, 0 to 1; all kinds of faults are met equally often. */
	share: number;
}

export async function run({ short }: { short: boolean }): Promise<void> {
	const userFolder = `.local/soak-money-${process.pid}`;
	const stack = await startStack({
		userFolder,
		owner: TEMPORARY_OWNER,
		say: (text) => process.stderr.write(`${text}\n`),
	});
	try {
		const misses: string[] = [];
		for (const round of short ? SHORT : FULL) {
			const lines = await payThroughFaults(stack, round, Date.now());
			process.stdout.write(`\n${round.name}\n${table(lines)}\n`);
			misses.push(...missed(lines));
		}
		if (misses.length > 0) throw new Error(`Targets missed: ${misses.join('; ')}`);
	} finally {
		await stack.stop();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

/** Both readings of "10 % faults of every kind". */
const FULL: Round[] = [
	{ name: '1,000 payouts, one in ten is hit', payouts: 1000, share: 0.1 },
	{ name: '1,000 payouts, each is hit', payouts: 1000, share: 1 },
];
export const SHORT: Round[] = [{ name: '66 payouts, two of three are hit', payouts: 66, share: 2 / 3 }];

/** Everything in which the figures miss their targets. */
export function missed(lines: Line[]): string[] {
	return lines.flatMap(({ fault, asked, accepted, expected, ...figures }) => [
		...(accepted === expected ? [] : [`${fault}: ${accepted} of ${asked} accepted instead of ${expected}`]),
		...(['unseen', 'sentTwice', 'wrongDigits', 'unaccounted'] as const)
			.filter((figure) => figures[figure] > 0)
			.map((figure) => `${fault}: ${figures[figure]} ${figure}`),
	]);
}

/** Pays all payouts of a round, and gives a line for each kind of fault and one for all. */
export async function payThroughFaults(
	{ client, sandbox, control, credential }: Stack,
	round: Round,
	seed: number,
): Promise<Line[]> {
	process.stderr.write(`${round.name} (seed ${seed})\n`);
	const payouts = makePayouts(round, seed);
	const byAmount = new Map(payouts.map((payout) => [payout.amount, payout]));
	const strangers: string[] = [];
	await control('PUT', '/webhook', { url: null });
	await control('POST', '/admin_funding', {
		asset: 'NGN',
		amount: `1${'0'.repeat(42)}`,
		direction: 'credit',
	});
	const before = new Set((await paid(control)).map(({ payout_id }) => payout_id));

	const proxy = await startProxy(sandbox.url);
	/** The payout before the one whose connection is to be refused. */
	let last: Payout | undefined;
	proxy.tamper = async (body) => {
		const amount = /"amount":([\d.]+)/.exec(body)?.[1] ?? body;
		const payout = byAmount.get(amount);
		if (payout === undefined) strangers.push(amount);
		else {
			const isFirst = payout.requests.length === 0;
			const fault = isFirst && payout.fault !== REFUSED ? payout.fault : NONE;
			payout.requests.push(fault);
			const ofSandbox = FAULTS[fault]?.control;
			// One payout is under way at a time, so this befalls the request at hand.
			if (ofSandbox !== undefined) await control('POST', '/faults', { route: ROUTE, ...ofSandbox });
			if (payout === last) proxy.refuse();
		}
		return body;
	};
	const credentialId = await client.saveCredential(CREDENTIAL_TYPE, 'Through faults', {
		...credential.data,
		baseUrl: proxy.url,
	});

	const queue = [...payouts];
	for (let number = 0; queue.length > 0; number++) {
		const way = WAYS[number % WAYS.length];
		const stops = way.onError === 'stopWorkflow';
		const batch = takeBatch(queue, stops);
		const refused = batch.findIndex(isToBeRefused);
		last = batch[refused - 1];
		if (refused === 0) proxy.refuse();
		const { id } = await client.saveWorkflow(workflowOf(batch, way, credentialId));
		let execution = await client.runByHand(id, 'Start');
		const said = [read(execution, batch)];
		await proxy.accept();
		if (stops && execution.status === 'error') {
			execution = await client.retry(execution.id, way.retryWith);
			said.push(read(execution, batch));
		}
		if (refused >= 0 && said.some((statements) => statements.get(refused)?.outcome === 'notSent'))
			batch[refused].requests.unshift(REFUSED);
		queue.unshift(...note(batch, said, stops));
		if (number % 20 === 19) process.stderr.write(`${payouts.length - queue.length} of ${payouts.length}\n`);
	}
	await proxy.stop();

	const accepted = (await paid(control)).filter(({ payout_id }) => !before.has(payout_id));
	return judge(payouts, accepted, strangers);
}

interface Accepted {
	payout_id: string;
	amount: string;
}

async function paid(control: Stack['control']): Promise<Accepted[]> {
	return ((await control('GET', '/state')) as { payouts: Accepted[] }).payouts;
}

/** Amounts of up to 38 digits, no two alike, hit by the kinds of faults in turn, in an order drawn by lot. */
function makePayouts({ payouts, share }: Round, seed: number): Payout[] {
	const random = randomNumbers(seed);
	const amounts = new Set<string>();
	while (amounts.size < payouts) {
		const digits = Array.from({ length: 1 + random(38) }, () => random(10)).join('');
		const point = random(digits.length);
		const whole = digits.slice(0, digits.length - point).replace(/^0+(?=\d)/, '');
		if (/[1-9]/.test(digits)) amounts.add(point === 0 ? whole : `${whole}.${digits.slice(-point)}`);
	}
	const kinds = Object.keys(FAULTS);
	const hit = Math.round(payouts * share);
	const faults = Array.from({ length: payouts }, (_, index) =>
		index < hit ? kinds[index % kinds.length] : NONE,
	);
	return [...amounts].map((amount) => ({
		amount,
		fault: faults.splice(random(faults.length), 1)[0],
		requests: [],
		told: new Set(),
		ids: new Set(),
		wrongDigits: false,
		untold: false,
	}));
}

/** Whole numbers below a bound, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
	let state = seed | 0;
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
	};
}

/**
 * The next payouts to be made together. At most one of them finds nobody listening; where the node goes on after a
 * failure it is the last one, so that the others still find the service.
 */
function takeBatch(queue: Payout[], stops: boolean): Payout[] {
	const batch: Payout[] = [];
	while (queue.length > 0 && batch.length < BATCH) {
		const isRefused = isToBeRefused(queue[0]);
		if (isRefused && batch.some(isToBeRefused)) break;
		batch.push(queue.shift()!);
		if (isRefused && !stops) break;
	}
	return batch;
}

function isToBeRefused({ fault, requests }: Payout): boolean {
	return fault === REFUSED && requests.length === 0;
}

function workflowOf(batch: Payout[], { maxTries, onError }: (typeof WAYS)[number], credentialId: string) {
	const node = (name: string, type: string, typeVersion: number, parameters: Json): WorkflowNode => ({
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters,
	});
	const list = { payouts: batch.map(({ amount }) => ({ amount })) };
	const payOut = node('Pay out', 'n8n-nodes-wallet-service.walletService', 1, {
		resource: 'fiatWallet',
		operation: 'createPayout',
		currency: 'NGN',
		amount: '={{ $json.amount }}',
		account_alias: 'supplier-main',
		requestOptions: { timeout: TIMEOUT },
	});
	const credentials = { [CREDENTIAL_TYPE]: { id: credentialId, name: 'Through faults' } };
	const settings = { retryOnFail: true, maxTries, waitBetweenTries: 1, onError };
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		name: 'Through faults',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('List', 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify(list),
				options: {},
			}),
			node('One item each', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'payouts', options: {} }),
			{ ...payOut, credentials, ...settings },
		],
		connections: { Start: to('List'), List: to('One item each'), 'One item each': to('Pay out') },
	};
}

interface Statement {
	outcome: 'item' | 'executed' | 'unknown' | 'rejected' | 'notSent';
	id?: string;
	amount?: string;
}

interface ErrorContext {
	itemIndex: number;
	outcome: 'unknown' | 'rejected' | 'notSent';
	executed?: Array<{ itemIndex: number; id: string; amount: string }>;
}

/** All that a stored execution says of each item, by its index. */
function read({ data: { resultData } }: Execution, batch: Payout[]): Map<number, Statement> {
	const said = new Map<number, Statement>();
	const say = (index: number, statement: Statement) => {
		if (batch[index] === undefined)
			throw new Error(`An execution speaks of item ${index}, which there is not`);
		said.set(index, statement);
	};
	const outputs = (resultData.runData['Pay out'] ?? []).flatMap((nodeRun) => nodeRun.data?.main ?? []);
	for (const { json, pairedItem } of outputs.flatMap((items) => items ?? [])) {
		const error = json.error as { outcome: Statement['outcome'] } | undefined;
		say(
			indexOf(pairedItem),
			error === undefined
				? { outcome: 'item', id: String(json.payoutId), amount: String(json.amount) }
				: { outcome: error.outcome },
		);
	}
	const context = resultData.error?.context as ErrorContext | undefined;
	if (context !== undefined) {
		say(context.itemIndex, { outcome: context.outcome });
		for (const { itemIndex, id, amount } of context.executed ?? [])
			say(itemIndex, { outcome: 'executed', id, amount });
	}
	return said;
}

function indexOf(pairedItem: Item['pairedItem']): number {
	const link = (Array.isArray(pairedItem) ? pairedItem[0] : pairedItem) as { item: number } | number;
	return typeof link === 'number' ? link : link.item;
}

/** Keeps what a batch's executions said; gives those payouts that may be asked for again. */
function note(batch: Payout[], said: Array<Map<number, Statement>>, stops: boolean): Payout[] {
	for (const statements of said) {
		for (const [index, { outcome, id, amount }] of statements) {
			const payout = batch[index];
			if (outcome === 'item' || outcome === 'executed' || outcome === 'unknown') payout.told.add(outcome);
			if (id !== undefined) payout.ids.add(id);
			if (amount !== undefined && amount !== payout.amount) payout.wrongDigits = true;
		}
		// Where the node stops, nothing is said of what comes after the failure: it was not begun.
		const reached = stops ? Math.max(...statements.keys()) : batch.length - 1;
		for (let index = 0; index <= reached; index++) if (!statements.has(index)) batch[index].untold = true;
	}
	return batch.filter(({ told }) => told.size === 0);
}

function judge(payouts: Payout[], accepted: Accepted[], strangers: string[]): Line[] {
	const idsOf = new Map<string, string[]>();
	for (const { amount, payout_id } of accepted) idsOf.set(amount, [...(idsOf.get(amount) ?? []), payout_id]);
	const line = (fault: string, of: Payout[]): Line => {
		const count = (fits: (payout: Payout, ids: string[]) => boolean) =>
			of.filter((payout) => fits(payout, idsOf.get(payout.amount) ?? [])).length;
		const mayHavePaid = (request: string) => FAULTS[request]?.unknown ?? true;
		return {
			fault,
			asked: of.length,
			accepted: count((_, ids) => ids.length > 0),
			expected: count((payout) => {
				const known = FAULTS[payout.fault];
				return known === undefined || known.acted || !known.unknown;
			}),
			inItems: count(({ told }) => told.has('item')),
			inExecuted: count(({ told }) => told.has('executed')),
			namedUnknown: count(({ told }) => told.has('unknown')),
			unseen: count(({ told, ids: known }, ids) => !told.has('unknown') && ids.some((id) => !known.has(id))),
			sentTwice: count(({ requests }, ids) => ids.length > 1 || requests.slice(0, -1).some(mayHavePaid)),
			wrongDigits: count(({ wrongDigits }) => wrongDigits),
			unaccounted: count(({ told, untold, fault: planned, requests }) => {
				const wasHit = planned === NONE || requests[0] === planned;
				return untold || told.size === 0 || !wasHit;
			}),
		};
	};
	const kinds = [...Object.keys(FAULTS), NONE];
	const lines = kinds.map((kind) =>
		line(
			kind,
			payouts.filter(({ fault }) => fault === kind),
		),
	);
	const all = line('all', payouts);
	// Amounts that nobody asked for are on no line of their own.
	const known = new Set(payouts.map(({ amount }) => amount));
	const strange = accepted.filter(({ amount }) => !known.has(amount)).length + strangers.length;
	return [...lines.filter(({ asked }) => asked > 0), { ...all, wrongDigits: all.wrongDigits + strange }];
}

const COLUMNS: Array<[keyof Line, string]> = [
	['fault', 'fault'],
	['asked', 'asked'],
	['accepted', 'accepted'],
	['inItems', 'in items'],
	['inExecuted', 'in executed'],
	['namedUnknown', 'named unknown'],
	['unseen', 'accepted, not visible'],
	['sentTwice', 'sent twice'],
	['wrongDigits', 'wrong digits'],
	['unaccounted', 'unaccounted'],
];

function table(lines: Line[]): string {
	const rows = [
		COLUMNS.map(([, title]) => title),
		...lines.map((line) => COLUMNS.map(([key]) => String(line[key]))),
	];
	const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	return rows
		.map((row) =>
			row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))),
		)
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}
