/** A client of a running n8n. The other files of the client are imported through this one. */
import { executionCalls } from './executions.ts';
import { openSession } from './session.ts';
import type { Json, Owner } from './types.ts';
import { workflowCalls } from './workflows.ts';

export { itemsOf, succeeded } from './executions.ts';
export type * from './types.ts';
export { until } from '../until.ts';

export type N8nClient = Awaited<ReturnType<typeof connect>>;

/** Logs in to n8n, creating the owner if there is none yet. Each call throws with n8n's own message when n8n refuses. */
export async function connect(url: string, owner: Owner) {
	const session = await openSession(url, owner);
	/** The descriptions of all nodes. Only an n8n that serves the editor has them. */
	type NodeType = Json & { name: string; version: number | number[] };
	const nodeTypes = async () => (await session.call('GET', '/types/nodes.json')) as NodeType[];
	return { url, ...session, ...workflowCalls(session), ...executionCalls(session), nodeTypes };
}
