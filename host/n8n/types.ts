/** Shapes of n8n's API, with the fields that are used here. */
export type Json = Record<string, unknown>;

export type Owner = { email: string; password: string };

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Json;
	id?: string;
	webhookId?: string;
	disabled?: boolean;
	credentials?: Record<string, { id: string | null; name: string }>;
	[setting: string]: unknown;
}

/** A workflow as the editor exports it. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Json;
	settings?: Json;
	/** Items that a node returns in the editor instead of running. */
	pinData?: Json;
}

export type StoredWorkflow = Workflow & { id: string; versionId: string; active: boolean };

export type Item = { json: Json; pairedItem?: unknown };

/** `executionTime`: in milliseconds. */
type NodeRun = { executionTime: number; data?: { main: Array<Item[] | null> }; error?: Json };

/** What n8n shows the user about a failed execution. */
export type ExecutionError = Json & { message: string; description?: string | null };

export interface Execution {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	data: {
		resultData: { runData: Record<string, NodeRun[]>; lastNodeExecuted?: string; error?: ExecutionError };
	};
}
