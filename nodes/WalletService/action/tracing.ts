/** Attributes of the node's span in OpenTelemetry: the operation, and how many items have which result. */
import type { ITaskMetadata } from 'n8n-workflow';

import type { CatalogEntry } from '../../../api/catalog.ts';
import { RESULTS } from './payment/row.ts';
import type { CallResult, Failure } from './result.ts';

type Counts = Record<string, number>;
type Traced = Pick<CatalogEntry, 'id'>;

/** The attributes of a run of payments. A later try replaces all counts. No amount, key or destination leaves the node. */
export function tracingOfPayments({ id }: Traced, results: CallResult[], stoppedBy?: Failure): ITaskMetadata {
	const words = [
		...results.map((result) => (result.ok ? String(result.items[0]?.result) : result.failure.outcome)),
		...(stoppedBy === undefined ? [] : [stoppedBy.outcome]),
	];
	const counts = RESULTS.map((word) => [word, words.filter((other) => other === word).length] as const);
	return tracing(id, Object.fromEntries(counts));
}

/** The attributes after one more call that moves no money: its word is counted up. */
export function tracingOfCall(
	{ id }: Traced,
	result: CallResult,
	earlier: ITaskMetadata = {},
): ITaskMetadata {
	const word = result.ok ? 'answered' : result.failure.outcome;
	const before = Number(earlier.tracing?.[attribute(word)] ?? 0);
	return tracing(id, { [word]: before + 1 });
}

function tracing(operation: string, counts: Counts): ITaskMetadata {
	const attributes = Object.entries(counts).map(([word, count]) => [attribute(word), count]);
	return { tracing: { [attribute('operation')]: operation, ...Object.fromEntries(attributes) } };
}

/** `alreadyPaid` -> `wallet_service.already_paid` */
function attribute(word: string): string {
	return `wallet_service.${word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
