/**
 * What became of the money calls of an execution, stored with it. n8n runs a node again from its first item for
 * Retry On Fail and for "Retry execution"; what was accepted, or may have been, is found here and not sent again.
 */
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { Failure } from './response.ts';

/** A call that the service accepted. */
export interface Executed {
	itemIndex: number;
	/** What the service calls it; left out where a response that is not shown has no likely field. */
	id?: string;
	/** Decimal text, as it was asked; left out where a request that is not shown has no such field. */
	amount?: string;
}

interface Sent {
	/** The endpoint's route. */
	route: string;
	executed: Executed;
}

/** Plain JSON, since it goes to n8n's database. */
export type LedgerEntry =
	| (Sent & { outcome: 'accepted'; items: IDataObject[] })
	| (Sent & { outcome: 'unknown'; failure: Failure });

/**
 * By item index. A call is known by the place of its item, not by its data: two equal payouts are two payouts, and a try
 * whose data or credential has changed since is still a try at the same one.
 */
export type CallLedger = Record<number, LedgerEntry | undefined>;

const NAME = 'walletServiceMoneyCalls';

/**
 * The callLedger of this run of the node: loops and AI agents run a node several times in one execution, each time for its own
 * items. What is put in or taken out is stored when the execution is.
 */
export function callLedgerOf(context: IExecuteSingleFunctions): CallLedger {
	const stored = context.getContext('node') as Record<
		string,
		Record<string, CallLedger | undefined> | undefined
	>;
	const runs = (stored[NAME] ??= {});
	const run = String(context.evaluateExpression('{{ $runIndex }}', context.getItemIndex()));
	return (runs[run] ??= {});
}

/** The calls of a run with this outcome, in item order. */
export function executedIn(callLedger: CallLedger, outcome: LedgerEntry['outcome']): Executed[] {
	return Object.values(callLedger)
		.filter((remembered) => remembered?.outcome === outcome)
		.map((remembered) => (remembered as LedgerEntry).executed);
}
