/**
 * "Retry execution" starts from the state stored with the chosen execution. n8n offers it again while a retry runs and after
 * one has failed, but the money may have moved since: only the first retry of a state goes on.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { maybeSent } from '../../call/failure.ts';
import { REPEATED } from './messages.ts';
import { isUsedAsTool } from '../../items.ts';
import type { Failure } from '../../result.ts';
import type { Rows } from '../../../shared/rows.ts';
import type { ExecutionLedger } from '../remember/ledger.ts';

/** Why this execution must not pay: another retry of the same state may have, and not by the same keys. */
export async function findStaleness(
	context: IExecuteFunctions,
	ledger: ExecutionLedger,
	openRows: () => Promise<Rows>,
	hasOnlyKeys: boolean,
): Promise<Failure | undefined> {
	if (context.getMode() !== 'retry') return undefined;
	const { continuedFrom } = ledger;
	// An agent calls its tools in its own order, so no entry can be matched with a call.
	if (isUsedAsTool(context.getNode()) && continuedFrom !== undefined && ledger.all().length > 0) {
		return maybeSent(REPEATED.toolWasRetried());
	}
	const state = ledger.isNew ? await originOf(context) : continuedFrom;
	if (state === undefined) return undefined;
	try {
		// A node may be renamed between two retries, or have a new id because its workflow was deployed again.
		const { id, name } = context.getNode();
		const rows = await openRows();
		for (const place of new Set([`${id}`, name])) {
			// Only who makes the row goes on, or who pays by keys as it did. Later tries and runs of this execution do not ask again.
			const { is } = await rows.make(['retry', state, place], hasOnlyKeys ? 'only keys' : 'without keys');
			if (is !== 'made' && !(is === 'mine' && hasOnlyKeys)) return maybeSent(REPEATED.wasRetriedBefore());
		}
		return undefined;
	} catch {
		// Without rows, an earlier retry cannot be excluded, so this one is refused.
		return maybeSent(REPEATED.wasRetriedBefore());
	}
}

/** What all retries share of an execution that failed before this node: when it began, and its first output. */
async function originOf(context: IExecuteFunctions): Promise<string | undefined> {
	const { establishedAt } = context.getExecutionContext() ?? {};
	if (establishedAt === undefined) return undefined;
	const stored = await context.getExecutionDataById(context.getExecutionId()).catch(() => undefined);
	const [first] = Object.values(stored?.resultData.runData ?? {})
		.flat()
		.sort((one, other) => one.startTime - other.startTime);
	// Many executions may begin in one millisecond, but not with the same data.
	return JSON.stringify([establishedAt, first?.startTime, first?.data]);
}
