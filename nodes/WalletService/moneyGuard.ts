/**
 * Calls that move money. All items are checked before the first is sent; then they go out one at a time, in item order;
 * where the node is to stop at a failure, nothing more is sent, and what was accepted before is told.
 */
import type { IDataObject, IExecuteData, IExecuteSingleFunctions } from 'n8n-workflow';

import type { Endpoint } from '../../api/endpoints.ts';
import { buildRequest } from './request.ts';
import type { Built, Request } from './request.ts';
import { refusal } from './response.ts';
import type { Failure, Read } from './response.ts';

/** A call that the service accepted. */
export interface Executed {
	itemIndex: number;
	/** What the service calls it; left out where a response that is not shown has no likely field. */
	id?: string;
	/** Decimal text, as it was asked; left out where a request that is not shown has no such field. */
	amount?: string;
}

/** One run of a node over its items, or one try of it where n8n tries again. */
interface Batch {
	arrived: Set<number>;
	requests: Map<number, Request>;
	bad: Map<number, Failure>;
	executed: Executed[];
	/** Set when the node is to stop: nothing more may be sent. */
	stopped: boolean;
	/** Ends when the calls of the items before have ended. */
	turn: Promise<unknown>;
}

const batches = new WeakMap<IExecuteData, Batch>();

/** Sends the request of one item when it may be sent and its turn has come. */
export async function guard(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	send: (request: Request) => Promise<Read>,
): Promise<Read> {
	const itemIndex = context.getItemIndex();
	const batch = enter(context, endpoint);
	const call = async (): Promise<Read> => {
		const request = batch.requests.get(itemIndex);
		if (request === undefined || batch.bad.size > 0 || batch.stopped) {
			return { ok: false, failure: batch.bad.get(itemIndex) ?? heldBack(batch) };
		}
		const read = await send(request);
		if (read.ok) {
			const { amount } = request;
			const id = idOf(endpoint, read.items[0]);
			batch.executed.push({ itemIndex, ...(id && { id }), ...(amount && { amount }) });
			return read;
		}
		if (context.continueOnFail()) return read;
		batch.stopped = true;
		return { ok: false, failure: withExecuted(read.failure, batch.executed) };
	};
	const result = batch.turn.then(call);
	batch.turn = result;
	return await result;
}

/** The batch of an item. The first item of a batch to arrive has all of them checked. */
function enter(context: IExecuteSingleFunctions, endpoint: Endpoint): Batch {
	const run = context.getExecuteData();
	const itemIndex = context.getItemIndex();
	const known = batches.get(run);
	// When n8n tries a node again it hands over the same object: an item that comes twice begins a new batch.
	const batch = known === undefined || known.arrived.has(itemIndex) ? check(context, endpoint) : known;
	batches.set(run, batch);
	batch.arrived.add(itemIndex);
	return batch;
}

function check(context: IExecuteSingleFunctions, endpoint: Endpoint): Batch {
	const requests = new Map<number, Request>();
	const bad = new Map<number, Failure>();
	for (let item = 0; item < itemCount(context); item++) {
		const built = buildFor(context, endpoint, item);
		if (built.ok) requests.set(item, built.request);
		else bad.set(item, refusal(built.complaints));
	}
	const [first, ...others] = bad;
	if (others.length > 0 && !context.continueOnFail()) {
		// n8n shows the failure of the first item only, so that one speaks for all.
		const also = others.map(([item, { message }]) => `${message} [item ${item}]`);
		bad.set(first[0], { ...first[1], also });
	}
	return { arrived: new Set(), requests, bad, executed: [], stopped: false, turn: Promise.resolve() };
}

function itemCount(context: IExecuteSingleFunctions): number {
	const { data } = context.getExecuteData();
	// As an AI tool the items come through an input of another name.
	return Object.values(data).find((inputs) => inputs !== null)?.[0]?.length ?? 0;
}

function buildFor(context: IExecuteSingleFunctions, endpoint: Endpoint, item: number): Built {
	const { parameters } = context.getNode();
	// n8n gives a declarative node the parameters of one item only; expressions can be evaluated for any.
	const read = (name: string): unknown => {
		const value = parameters[name];
		const isExpression = typeof value === 'string' && value.startsWith('=');
		return isExpression ? context.evaluateExpression(value.slice(1), item) : value;
	};
	try {
		return buildRequest(endpoint, read);
	} catch (error) {
		const complaint = {
			message: `An expression cannot be evaluated: ${(error as Error).message}`,
			description: 'Mend the expression or the data that it reads',
		};
		return { ok: false, complaints: [complaint] };
	}
}

function heldBack({ bad }: Batch): Failure {
	const items = [...bad.keys()].join(', ');
	return {
		message:
			items === '' ? 'Not sent, because an item before it failed' : `Not sent, because of item ${items}`,
		description:
			'No money moves while an item of the same run is invalid. Mend or remove that item and run again.',
		outcome: 'notSent',
		heldBack: true,
	};
}

function withExecuted(failure: Failure, executed: Executed[]): Failure {
	const made = executed.map(({ itemIndex, id, amount }) =>
		[
			`item ${itemIndex}`,
			...(amount === undefined ? [] : [amount]),
			...(id === undefined ? [] : [`as ${id}`]),
		].join(' '),
	);
	const already =
		made.length === 0
			? 'No item before it was sent.'
			: `Accepted before it, and not to be sent again: ${made.join('; ')}.`;
	return { ...failure, description: `${failure.description} ${already}`, executed };
}

/** Where a response that is not shown is likely to have its identifier; also keys of those that are, unsimplified. */
const LIKELY_IDS = ['payout_id', 'transaction_id', 'id', 'reference'];

function idOf({ movesMoney }: Endpoint, record: IDataObject): string | undefined {
	const names = [movesMoney?.id ?? '', ...LIKELY_IDS];
	const id = names.map((name) => record[name]).find((value) => ['string', 'number'].includes(typeof value));
	return id === undefined ? undefined : String(id);
}
