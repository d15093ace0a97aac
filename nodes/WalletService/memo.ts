/**
 * What became of the money calls of an execution, stored with it. n8n runs a node again from its first item for
 * Retry On Fail and for "Retry execution"; what was accepted, or may have been, is found here and not sent again.
 */
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { Endpoint } from '../../api/endpoints.ts';
import type { Executed } from './moneyGuard.ts';
import type { Failure } from './response.ts';

/** Plain JSON, since it goes to n8n's database. */
export type Remembered =
	| { outcome: 'accepted'; items: IDataObject[]; executed: Executed }
	| { outcome: 'unknown'; failure: Failure };

export type Memo = Record<string, Remembered | undefined>;

const NAME = 'walletServiceMoneyCalls';

/** The memo of a node in this execution. What is put in or taken out is stored when the execution is. */
export function memoOf(context: IExecuteSingleFunctions): Memo {
	const stored = context.getContext('node') as Record<string, Memo | undefined>;
	return (stored[NAME] ??= {});
}

/**
 * The identity of a call within its execution. It is the place of the item, not its data: two equal payouts are two
 * payouts, and a try whose data has changed (`{{ $now }}`) is still a try at the same one. Loops and AI agents run a node
 * several times, so the run counts; operation and credential count in case they are changed before "Retry execution".
 */
export function keyOf(context: IExecuteSingleFunctions, { route }: Endpoint): string {
	const item = context.getItemIndex();
	const run = String(context.evaluateExpression('{{ $runIndex }}', item));
	const credential = context.getNode().credentials?.walletServiceApi?.id ?? '';
	return `${route} ${credential} ${run}/${item}`;
}
