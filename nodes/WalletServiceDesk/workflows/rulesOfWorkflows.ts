/** What n8n does with the workflows: whether they run, whether their failures are told, and what is kept of them. */
import { receivesEvents } from './node.ts';
import { flowsThat } from './places.ts';
import type { Place } from './places.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';
import type { Workflows } from './workflows.ts';

/** Nobody can say what such a workflow does. */
export function notReadable({ flows }: Workflows): Place[] {
	return flowsThat(flows, ({ isReadable }) => !isReadable);
}

/** What starts by itself, and what others call, runs only if it is published. */
export function notPublished({ concerned }: Workflows): Place[] {
	return flowsThat(concerned, (flow) => !flow.isPublished && flow.nodes.some(needsPublishing));
}

/** n8n runs the published version, whatever was saved afterwards. */
export function withUnpublishedChanges({ concerned }: Workflows): Place[] {
	return flowsThat(concerned, ({ hasUnpublishedChanges }) => hasUnpublishedChanges);
}

/** A workflow that pays or takes events by itself, and whose failure nobody is told. By hand, the person sees it. */
export function withoutErrorWorkflow({ flows, paying }: Workflows): Place[] {
	const payingFlows = new Set(paying);
	const published = new Set(flows.filter(({ isPublished }) => isPublished).map(({ id }) => id));
	return flowsThat(flows, (flow) => {
		const isWatched = payingFlows.has(flow) || flow.nodes.some(receivesEvents);
		const isTold = published.has(textOf(flow.settings.errorWorkflow)) || hasKind(flow, 'errorTrigger');
		return isWatched && flow.nodes.some(startsByItself) && !isTold;
	});
}

/** Executions are the only record of who was asked, and a crashed one can be retried only if it was kept. */
export function withoutExecutions({ paying }: Workflows): Place[] {
	return flowsThat(paying, ({ settings }) => {
		const { saveDataErrorExecution, saveDataSuccessExecution, saveManualExecutions } = settings;
		const isNone = saveDataErrorExecution === 'none' || saveDataSuccessExecution === 'none';
		return isNone || saveManualExecutions === false;
	});
}

/** Triggers of n8n whose types do not end with the word. */
const OTHER_TRIGGERS = ['webhook', 'cron', 'interval', 'emailReadImap'];

function needsPublishing({ kind }: FlowNode): boolean {
	return kind !== 'manualTrigger' && (kind.endsWith('Trigger') || OTHER_TRIGGERS.includes(kind));
}

function startsByItself(node: FlowNode): boolean {
	return needsPublishing(node) && !['executeWorkflowTrigger', 'errorTrigger'].includes(node.kind);
}

function hasKind({ nodes }: Flow, wanted: string): boolean {
	return nodes.some(({ kind }) => kind === wanted);
}
