/** What an execution tells the user about each payout. */
import type { Execution, Item } from '../../host/n8n/client.ts';
import type { Payout } from './payoutBatches.ts';

export const PAY_OUT = 'Pay out';

export interface Statement {
	outcome: 'item' | 'executed' | 'unknown' | 'rejected' | 'notSent';
	id?: string;
	amount?: string;
}

/** As the node describes a failure. */
interface ErrorContext {
	itemIndex: number;
	outcome: 'unknown' | 'rejected' | 'notSent';
	executed?: Array<{ itemIndex: number; id: string; amount: string }>;
}

/** The statements of a stored execution by the payouts of its batch. */
export function readStatements({ data: { resultData } }: Execution, batch: Payout[]): Map<Payout, Statement> {
	const statements = new Map<Payout, Statement>();
	const add = (index: number, statement: Statement) => {
		const payout = batch[index];
		if (payout === undefined) throw new Error(`An execution names item ${index}, which does not exist`);
		statements.set(payout, statement);
	};
	const outputs = (resultData.runData[PAY_OUT] ?? []).flatMap((nodeRun) => nodeRun.data?.main ?? []);
	for (const { json, pairedItem } of outputs.flatMap((items) => items ?? [])) {
		const error = json.error as { outcome: Statement['outcome'] } | undefined;
		add(
			indexOf(pairedItem),
			error === undefined
				? { outcome: 'item', id: String(json.payoutId), amount: String(json.amount) }
				: { outcome: error.outcome },
		);
	}
	const context = resultData.error?.context as ErrorContext | undefined;
	if (context !== undefined) {
		add(context.itemIndex, { outcome: context.outcome });
		for (const { itemIndex, id, amount } of context.executed ?? [])
			add(itemIndex, { outcome: 'executed', id, amount });
	}
	return statements;
}

function indexOf(pairedItem: Item['pairedItem']): number {
	const link = (Array.isArray(pairedItem) ? pairedItem[0] : pairedItem) as { item: number } | number;
	return typeof link === 'number' ? link : link.item;
}

/** Records a batch's statements in its payouts. Returns the payouts that may be requested again. */
export function recordStatements(
	batch: Payout[],
	statementsOfRuns: Array<Map<Payout, Statement>>,
	stops: boolean,
): Payout[] {
	for (const statements of statementsOfRuns) {
		for (const [payout, { outcome, id, amount }] of statements) {
			if (outcome === 'item' || outcome === 'executed' || outcome === 'unknown') payout.reported.add(outcome);
			if (id !== undefined) payout.ids.add(id);
			if (amount !== undefined && amount !== payout.amount) payout.wrongDigits = true;
		}
		// A node that stops says nothing about the items after the failure, because they were not started.
		const last = stops ? batch.findLastIndex((payout) => statements.has(payout)) : batch.length - 1;
		for (const payout of batch.slice(0, last + 1)) if (!statements.has(payout)) payout.unreported = true;
	}
	return batch.filter(({ reported }) => reported.size === 0);
}
