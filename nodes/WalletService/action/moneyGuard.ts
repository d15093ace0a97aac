/**
 * Around calls that move money. All items are checked before the first is sent; then they go out one at a time, in item
 * order; none goes out twice in one execution; where the node is to stop at a failure, nothing more is sent, and what was
 * accepted before is told.
 */
import { isResourceLocatorValue } from 'n8n-workflow';
import type { IDataObject, IExecuteData, IExecuteSingleFunctions, INodeParameters } from 'n8n-workflow';

import type { Endpoint } from '../../../api/endpoints.ts';
import { beyondLimits, totalOf } from './limits.ts';
import type { Limits } from './limits.ts';
import { executedIn, callLedgerOf } from './callLedger.ts';
import type { Executed, CallLedger, LedgerEntry } from './callLedger.ts';
import { buildRequest } from './request.ts';
import type { ValidationIssue, Request } from './request.ts';
import { refusal } from './response.ts';
import type { Failure, Read } from './response.ts';

export interface MoneyCall {
	/** Makes the call. */
	send: (request: Request) => Promise<Read>;
	/** Does everything but send. */
	rehearse: (request: Request) => Promise<Read>;
}

interface Plan {
	request: Request;
	limits: Limits;
}

/** One run of a node over its items, or one try of it where n8n tries again. */
interface Batch {
	/** Looked up once, because n8n evaluates an expression to tell which run it is. */
	callLedger: CallLedger;
	arrived: Set<number>;
	plans: Map<number, Plan>;
	bad: Map<number, Failure>;
	/** Set when the node is to stop: nothing more may be sent. */
	stopped: boolean;
	/** Ends when the calls of the items before have ended. */
	turn: Promise<unknown>;
}

const batches = new WeakMap<IExecuteData, Batch>();

/** What became of the money call of one item, made when it may be and its turn has come. */
export async function callOnce(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	call: MoneyCall,
): Promise<Read> {
	const batch = enter(context, endpoint);
	const result = batch.turn.then(async (): Promise<Read> => {
		const read = await callInTurn(context, endpoint, call, batch);
		if (read.ok || context.continueOnFail()) return read;
		batch.stopped = true;
		return { ok: false, failure: withExecuted(read.failure, batch.callLedger) };
	});
	batch.turn = result;
	return await result;
}

async function callInTurn(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	{ send, rehearse }: MoneyCall,
	batch: Batch,
): Promise<Read> {
	const { callLedger } = batch;
	const itemIndex = context.getItemIndex();
	const earlier = callLedger[itemIndex];
	if (earlier !== undefined) return recalled(earlier, endpoint);

	const plan = batch.plans.get(itemIndex);
	const cancelled = context.getExecutionCancelSignal()?.aborted === true;
	if (plan === undefined || batch.bad.size > 0 || batch.stopped || cancelled) {
		return { ok: false, failure: batch.bad.get(itemIndex) ?? heldBack(batch) };
	}
	const { request, limits } = plan;
	if (isOn(limits.dryRun)) return await rehearse(request);

	const { route } = endpoint;
	const executed: Executed = { itemIndex, ...(request.amount && { amount: request.amount }) };
	// Unknown from the moment it leaves: should n8n give up in between, nobody may think that it was not sent.
	callLedger[itemIndex] = { outcome: 'unknown', route, executed, failure: IN_FLIGHT };
	const read = await send(request);
	if (read.ok) {
		const id = idOf(endpoint, read.items[0]);
		callLedger[itemIndex] = {
			outcome: 'accepted',
			route,
			executed: { ...executed, ...(id && { id }) },
			items: read.items,
		};
	} else if (read.failure.outcome === 'unknown') {
		callLedger[itemIndex] = { outcome: 'unknown', route, executed, failure: read.failure };
	} else {
		delete callLedger[itemIndex];
	}
	return read;
}

/** What is known of an item that was sent in an earlier try. */
function recalled(earlier: LedgerEntry, { route }: Endpoint): Read {
	if (earlier.route !== route) {
		return {
			ok: false,
			failure: {
				message: 'Not sent, because another operation may have moved money for this item in this execution',
				description: `It was ${earlier.route} before the node was changed. Run the item in a new execution.`,
				outcome: 'notSent',
			},
		};
	}
	if (earlier.outcome === 'accepted') return { ok: true, items: earlier.items };
	return {
		ok: false,
		failure: {
			...earlier.failure,
			message: `Not sent again, because an earlier try may have moved this money: ${earlier.failure.message}`,
			description:
				'Look at the service whether this payment was made. If it was not, pay it in a new execution: this one will not send it again.',
		},
	};
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
	const callLedger = callLedgerOf(context);
	const plans = new Map<number, Plan>();
	const issues = new Map<number, ValidationIssue[]>();
	for (let item = 0; item < itemCount(context); item++) {
		// What was sent in an earlier try is past checking.
		if (callLedger[item] !== undefined) continue;
		const plan = planFor(context, endpoint, item);
		if (Array.isArray(plan)) issues.set(item, plan);
		else plans.set(item, plan);
	}
	const sent = [...executedIn(callLedger, 'accepted'), ...executedIn(callLedger, 'unknown')];
	const total = totalOf([...sent, ...[...plans.values()].map(({ request }) => request)]);
	for (const [item, { request, limits }] of plans) {
		// The total is that of all items or it is none.
		const applicable = issues.size === 0 ? limits : { ...limits, maximumTotal: '' };
		const beyond = beyondLimits(applicable, request, total);
		if (beyond.length > 0) issues.set(item, beyond);
	}
	const bad = new Map([...issues].sort(([a], [b]) => a - b).map(([item, list]) => [item, refusal(list)]));
	const [first, ...others] = bad;
	if (others.length > 0 && !context.continueOnFail()) {
		// n8n shows the failure of the first item only, so that one speaks for all.
		const also = others.map(([item, { message }]) => `${message} [item ${item}]`);
		bad.set(first[0], { ...first[1], also });
	}
	return { callLedger, arrived: new Set(), plans, bad, stopped: false, turn: Promise.resolve() };
}

function itemCount(context: IExecuteSingleFunctions): number {
	const { data } = context.getExecuteData();
	// As an AI tool the items come through an input of another name.
	return Object.values(data).find((inputs) => inputs !== null)?.[0]?.length ?? 0;
}

function planFor(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	item: number,
): Plan | ValidationIssue[] {
	// n8n gives a declarative node the parameters of one item only; expressions can be evaluated for any. All of them
	// are, also those that do not matter here: n8n stops at one that cannot be, when calls may be under way already.
	const evaluate = (value: unknown): unknown => {
		if (typeof value === 'string' && value.startsWith('=')) {
			return context.evaluateExpression(value.slice(1), item);
		}
		if (Array.isArray(value)) return value.map(evaluate);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, evaluate(entry)]));
	};
	let parameters: INodeParameters;
	try {
		parameters = evaluate(context.getNode().parameters) as INodeParameters;
	} catch (error) {
		return [
			{
				message: `An expression cannot be evaluated: ${(error as Error).message}`,
				description: 'Mend the expression or the data that it reads',
			},
		];
	}
	const built = buildRequest(endpoint, (name) => located(parameters[name]));
	if (!built.ok) return built.issues;
	return { request: built.request, limits: (parameters.options ?? {}) as Limits };
}

/** What was chosen from a list or typed; a parameter of another kind is its own value. */
function located(parameter: unknown): unknown {
	return isResourceLocatorValue(parameter) ? parameter.value : parameter;
}

function isOn(option: unknown): boolean {
	// An expression may give text; whoever asks for a dry run in any way gets one.
	return option !== undefined && option !== null && option !== '' && String(option) !== 'false';
}

const IN_FLIGHT: Failure = {
	message: 'The call was under way when the execution ended',
	description: 'It is unknown whether the money was moved.',
	outcome: 'unknown',
};

function heldBack({ bad }: Batch): Failure {
	const items = [...bad.keys()].join(', ');
	return {
		message:
			items === '' ? 'Not sent, because the run was stopped before it' : `Not sent, because of item ${items}`,
		description:
			'No money moves while an item of the same run is invalid. Mend or remove that item and run again.',
		outcome: 'notSent',
		heldBack: true,
	};
}

/** The failure at which the node stops, with what the run has done so far, in this try and in those before. */
function withExecuted(failure: Failure, callLedger: CallLedger): Failure {
	const executed = executedIn(callLedger, 'accepted');
	const unknown = executedIn(callLedger, 'unknown');
	const told = [
		...(executed.length === 0
			? []
			: [`Accepted in this run, and not to be sent again: ${listOf(executed)}.`]),
		...(unknown.length === 0 ? [] : [`Unknown, to be looked up at the service: ${listOf(unknown)}.`]),
	];
	const done = told.length === 0 ? 'No money was moved by this run.' : told.join(' ');
	return { ...failure, description: `${failure.description} ${done}`, executed };
}

function listOf(calls: Executed[]): string {
	return calls
		.map(({ itemIndex, id, amount }) => {
			const words = [`item ${itemIndex}`, amount, id && `as ${id}`];
			return words.filter((word) => word !== undefined).join(' ');
		})
		.join('; ');
}

/** Where a response that is not shown is likely to have its identifier; also keys of those that are, unsimplified. */
const LIKELY_IDS = ['payout_id', 'transaction_id', 'id', 'reference'];

function idOf({ movesMoney }: Endpoint, record: IDataObject): string | undefined {
	const names = [movesMoney?.id ?? '', ...LIKELY_IDS];
	const id = names.map((name) => record[name]).find((value) => ['string', 'number'].includes(typeof value));
	return id === undefined ? undefined : String(id);
}
