import './environment.ts';
import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	ExecutionError,
	INode,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { newExecutionId, NODE, SOURCE, type Engine, type NodeSetup } from './engine.ts';

export interface RunSetup extends NodeSetup {
	/** The input items; default: one empty item. */
	items?: INodeExecutionData[];
	/** The settings tab: `onError`, `retryOnFail`, `maxTries`, `waitBetweenTries` (in ms; 0 means 1000) and so on. */
	settings?: Partial<INode>;
	/** Default `trigger`; `manual` as in an execution started in the editor. */
	mode?: WorkflowExecuteMode;
	workflowSettings?: IWorkflowSettings;
	/** A person stops the execution when this has happened. */
	stopWhen?: Promise<unknown>;
}

interface NodeRun {
	/** One list of items for each output; empty if the node stopped the execution. */
	items: INodeExecutionData[][];
	/** The error that stopped the execution. */
	error?: ExecutionError;
	runData: IRunExecutionData['resultData']['runData'];
	/** n8n's custom data of the execution. */
	customData: IRunExecutionData['resultData']['metadata'];
	/** The execution as the text that n8n's database would hold. */
	stored: string;
	/** "Retry execution": continues from the stored text. With `changes`, the user has changed the node and saved the workflow. */
	retry(changes?: Partial<RunSetup>): Promise<NodeRun>;
}

/** Runs the workflow from the source node, or continues with the data of a failed execution. */
export const runNode = async (
	engine: Engine,
	setup: RunSetup,
	failed?: IRunExecutionData,
): Promise<NodeRun> => {
	const mode = failed ? 'retry' : (setup.mode ?? 'trigger');
	const load = (each: RunSetup) =>
		engine.workflowOf({ ...engine.nodeOf(each), ...each.settings }, each.workflowSettings, each.workflowId);
	const workflow = load(setup);
	const executionId = newExecutionId();
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {} as never);
	const execution = new WorkflowExecute(engine.additionalDataOf(setup, { hooks, executionId }), mode, failed);
	const running = failed
		? execution.processRunExecutionData(workflow)
		: execution.run({
				workflow,
				startNode: workflow.nodes[SOURCE],
				pinData: { [SOURCE]: setup.items ?? [{ json: {} }] },
			});
	void setup.stopWhen?.then(() => running.cancel());
	const run: IRun = await running;
	const { runData, error, metadata } = run.data.resultData;
	const stored = stringify(run.data);
	return {
		items: (runData[NODE]?.at(-1)?.data?.main ?? []).map((list) => list ?? []),
		error,
		runData,
		customData: metadata,
		stored,
		/** As ExecutionService.retry of n8n. */
		async retry(changes) {
			const data = parse(stored) as IRunExecutionData;
			delete data.resultData.error;
			if (data.resultData.runData[NODE]?.at(-1)?.error) data.resultData.runData[NODE].pop();
			const changed = { ...setup, ...changes };
			if (changes !== undefined) {
				const { nodes } = load(changed);
				for (const next of data.executionData!.nodeExecutionStack) next.node = nodes[NODE]!;
			}
			return await runNode(engine, changed, data);
		},
	};
};
