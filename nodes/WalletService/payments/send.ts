/** Sends a payment that has passed its guards, or shows what would be sent. */
import { movesMoney } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import { unknown } from '../../shared/answers/failure.ts';
import { UNCLEAR } from '../../shared/answers/messages.ts';
import type { CallResult, Failure } from '../../shared/result.ts';
import type { Attempt, Held } from './guards/guard.ts';
import { failed, rowOfPayment } from './itemResult.ts';
import type { Decided } from './itemResult.ts';
import { withResult } from './items.ts';
import type { Run } from './run.ts';

/** Sends the request once, and says what its answer proves. */
export async function send(run: Run, { payment, claim }: Attempt, held: Held[]): Promise<Decided> {
	const { client } = run;
	const { operation, request, options, simplify, connection, key, chosen } = payment;
	const row = rowOfPayment(payment);
	const { refusedCodes, idField } = options;
	const sending = {
		simplify,
		refusedCodes,
		idField,
		connection,
		paymentKey: key?.sent,
		within: claim?.limit,
	};
	for (const each of held) each.begin?.();
	const answer = withOwnId(run, operation, await client.send(operation, request, sending));
	if (answer.ok) {
		const word = movesMoney(operation) ? 'paid' : 'done';
		const { belowMinimum, requestId } = answer;
		const own = { ...(belowMinimum && { belowMinimum }), ...(requestId !== undefined && { requestId }) };
		const items = answer.items.map((json) => ({
			...withResult(word, row, { ...chosen, ...json }, !simplify),
			...own,
		}));
		return { outcome: 'accepted', result: { ...answer, items } };
	}
	const failure = explained(answer.failure, held);
	return { outcome: failure.outcome, result: failed(failure, row) };
}

/** The failure with what the guards add to it. */
export function explained(failure: Failure, held: Held[]): Failure {
	return held.reduce((each, { explain }) => explain?.(each) ?? each, failure);
}

/** A service that repeats the answer of another payment has not made this one. */
function withOwnId({ journal }: Run, operation: Operation, answer: CallResult): CallResult {
	if (!answer.ok || answer.id === undefined || journal.takeId(operation.route, answer.id)) return answer;
	const { items, requestId } = answer;
	const more = { details: items[0], ...(requestId !== undefined && { requestId }) };
	return { ok: false, failure: unknown(operation, UNCLEAR.idOfAnother(answer.id), more) };
}

/** What would be sent, as the item of a dry run. */
export async function describe({ client }: Run, { payment }: Attempt): Promise<CallResult> {
	const { operation, request, options, key, chosen } = payment;
	const row = rowOfPayment(payment);
	const answer = await client.describe(operation, request, key?.sent);
	if (!answer.ok) return failed(answer.failure, row);
	const shown = { ...chosen, ...(options.showRequest && { request: answer.items[0] }) };
	return { ok: true, items: [withResult('dryRun', row, shown)] };
}
