/** Compares what the sandbox acknowledged with what it has after the kills. */
import { setTimeout as sleep } from 'node:timers/promises';
import { control } from '../../host/sandboxClient.ts';
import type { SandboxConnection } from '../../host/sandboxProgram.ts';
import type { Acknowledged, Movement } from './actions.ts';

export interface Comparison {
	/** Acknowledged movements. */
	acknowledged: number;
	/** Of these, how many are missing or have other digits. */
	movementsLost: number;
	/** Of these, how many exist more than once. */
	movementsTwice: number;
	/** Codes whose balance is not the sum of its movements. */
	balancesWrong: number;
	/** Events that acknowledged calls led to. */
	events: number;
	/** Of these, how many never arrived. */
	deliveriesLost: number;
	/** Deliveries that the sandbox knows. */
	deliveries: number;
	/** Of these, how many are still under way. */
	deliveriesOpen: number;
	/** Bodies that arrived more than once, which the API document allows. */
	arrivedAgain: number;
}

/** The figures that must be 0. */
export const LOSSES = [
	'movementsLost',
	'movementsTwice',
	'balancesWrong',
	'deliveriesLost',
	'deliveriesOpen',
] as const;

const SETTLED_WITHIN_MS = 60_000;

interface State {
	balances: Record<string, string>;
	payouts: Array<{ status: string }>;
}

/** `taken`: how many times the customer's endpoint accepted each body. */
export async function compareWithSandbox(
	sandbox: SandboxConnection,
	acknowledged: Acknowledged[],
	taken: Map<string, number>,
): Promise<Comparison> {
	const read = async <T>(route: string) => (await control(sandbox, route)).json as T;
	const statuses = await waitForDeliveries(read);
	const { balances } = await read<State>('GET state');
	const { results: found } = await read<{ results: Movement[] }>('GET movements');

	const nameOf = ({ code, amount, reference }: Movement) => `${code} ${amount} ${reference}`;
	const times = new Map<string, number>();
	for (const movement of found) times.set(nameOf(movement), (times.get(nameOf(movement)) ?? 0) + 1);
	const movements = acknowledged.flatMap((each) => each.movements.map(nameOf));

	const arrived = new Set(
		[...taken.keys()].map((body) => {
			const { event, id } = JSON.parse(body) as { event: string; id: string };
			return `${event} ${id}`;
		}),
	);
	const events = acknowledged.flatMap((each) => each.events);
	return {
		acknowledged: movements.length,
		movementsLost: movements.filter((movement) => !times.has(movement)).length,
		movementsTwice: movements.filter((movement) => (times.get(movement) ?? 0) > 1).length,
		balancesWrong: wrongBalances(balances, found),
		events: events.length,
		deliveriesLost: events.filter((event) => !arrived.has(event)).length,
		deliveries: statuses.length,
		deliveriesOpen: statuses.filter(isOpen).length,
		arrivedAgain: [...taken.values()].filter((count) => count > 1).length,
	};
}

const isOpen = (status: string) => status !== 'delivered';

/** Waits until all payouts and deliveries are complete, for one minute at most. Returns the statuses of the deliveries. */
async function waitForDeliveries(read: <T>(route: string) => Promise<T>): Promise<string[]> {
	let statuses: string[] = [];
	for (const deadline = Date.now() + SETTLED_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
		const { payouts } = await read<State>('GET state');
		const { results } = await read<{ results: Array<{ status: string }> }>('GET deliveries');
		statuses = results.map(({ status }) => status);
		if (!statuses.some(isOpen) && payouts.every(({ status }) => status === 'successful')) break;
	}
	return statuses;
}

/** How many balances are not the sum of their movements. */
function wrongBalances(balances: Record<string, string>, movements: Movement[]): number {
	const sums = new Map<string, bigint>();
	for (const { code, amount } of movements) sums.set(code, (sums.get(code) ?? 0n) + unitsOf(amount));
	return Object.entries(balances).filter(([code, balance]) => unitsOf(balance) !== (sums.get(code) ?? 0n))
		.length;
}

/** A decimal in units of 10^-30. */
function unitsOf(decimal: string): bigint {
	const match = /^(-?)(\d+)\.?(\d*)$/.exec(decimal);
	if (match === null) throw new Error(`${decimal} is not a decimal`);
	const [, sign = '', whole = '', fraction = ''] = match;
	return BigInt(`${sign}${whole}${fraction.padEnd(30, '0')}`);
}
