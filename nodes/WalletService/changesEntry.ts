/** n8n's entry to the operations that change something: a custom operation sees all items, and n8n's table of processed items. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { movesMoney } from '../../api/catalog.ts';
import { explained } from '../shared/guide.ts';
import { nodeError } from '../shared/nodeError.ts';
import { toItems } from './payments/items.ts';
import { toolItem } from './agent/toolItem.ts';
import { itemsThatFit } from '../shared/agent/itemsThatFit.ts';
import type { Journal } from './payments/guards/journal.ts';
import { pay } from './payments/pay.ts';
import { handedOn } from './payments/payList/handOn.ts';
import type { Run } from './payments/run.ts';
import type { CallResult } from '../shared/result.ts';
import { runOf } from './runOfNode.ts';
import { hintsOf, listed } from './payments/report.ts';

/** Pays or changes what the items say. Throws NodeApiError if the node is to stop at an item. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	if (this.getInputData().length === 0) return [[]];
	const run = runOf(this);
	const node = this.getNode();
	const signal = this.getExecutionCancelSignal();
	const showPayments = () => showInCustomData(this, run.journal);
	signal?.addEventListener('abort', showPayments, { once: true });
	try {
		const { results, payments, stoppedAt } = await pay(run);
		if (stoppedAt !== undefined) {
			const failure = explained(stoppedAt.failure, movesMoney(run.operation));
			throw nodeError(node, stoppedAt.item, failure);
		}
		if (run.isTool) return [forModel(run, results)];
		this.addExecutionHints(...hintsOf(results, payments));
		const shown = results.map((result, item) => handedOn(result, run.rows?.[item]));
		return [shown.flatMap((result, item) => toItems(result, item, node.onError))];
	} finally {
		signal?.removeEventListener('abort', showPayments);
	}
}

/** As many items as a model reads. The rows of a list are no items of n8n. */
function forModel({ operation, rows }: Run, results: CallResult[]): INodeExecutionData[] {
	const items = itemsThatFit(results.map((result) => toolItem(operation, result)));
	return items.map((json, index) => ({ json, pairedItem: { item: rows === undefined ? index : 0 } }));
}

/** n8n's limit for a value of custom data, in characters. */
const MAX_CUSTOM_DATA = 512;

/** n8n drops the output of a stopped node but keeps its custom data. */
function showInCustomData(context: IExecuteFunctions, journal: Journal): void {
	for (const outcome of ['accepted', 'unknown'] as const) {
		const text = listed(journal.ofThisRun(outcome));
		const shown = text.length <= MAX_CUSTOM_DATA ? text : `${text.slice(0, MAX_CUSTOM_DATA - 1)}…`;
		if (text !== '') context.customData.set(`payments_${outcome}`, shown);
	}
}
