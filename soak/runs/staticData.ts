/**
 * Counts deliveries with a Code node in `$getWorkflowStaticData('global')`, and compares. n8n writes static data as a whole, at the
 * end of each execution that changed it, so a count can be lost. Measured for this trigger, which writes none, and for
 * a trigger that does nothing. A lost event misses a target, and so does a count that an execution loses which does not count.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { WorkflowNode } from '../../host/n8n/client.ts';
import { until } from '../../host/n8n/client.ts';
import { allSucceeded, newestExecution, queryDatabase } from '../../bench/shared/executions.ts';
import { reportFigures } from '../shared/soakFigures.ts';
import type { Figures } from '../shared/soakFigures.ts';
import { KEEP_EXECUTIONS, withTemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import { chain, nodeMaker, NULL_TRIGGER_NODE, TRIGGER_NODE } from '../../bench/shared/workflowParts.ts';
import type { NodeMaker } from '../../bench/shared/workflowParts.ts';

const CONCURRENCY = 8;
const FULL = 200;
const SHORT = 40;

/** Counts the deliveries whose status is `counted`. */
const COUNT = `
const { status } = $json.body ?? $json;
if (status === 'counted') {
	const data = $getWorkflowStaticData('global');
	data.count = (data.count ?? 0) + 1;
}
return $input.all();`;

const LOST = 'events lost';
const UNDONE = 'counts that others undid';

const TRIGGERS: Record<string, string> = {
	'a trigger that does nothing': NULL_TRIGGER_NODE,
	'this trigger': TRIGGER_NODE,
};

export async function run({ short }: { short: boolean }): Promise<void> {
	await withTemporaryN8n(async (host) => {
		const figures: Figures = { [LOST]: 0, [UNDONE]: 0 };
		const node = await nodeMaker(host.client);
		const size = short ? SHORT : FULL;
		const triggerOf = (type: string) =>
			node(
				'Start',
				type,
				{ events: ['admin_funding'], verification: 'none', options: {} },
				{ webhookId: randomUUID() },
			);
		for (const [name, type] of Object.entries(TRIGGERS)) {
			const together = await count(host, node, triggerOf(type), size, size);
			figures[`${name}: counted of ${size} at concurrency ${CONCURRENCY}`] = together.counted;
			const apart = await count(host, node, triggerOf(type), size, size / 10);
			figures[`${name}: counted of ${size / 10}, one after the other, among ${size} others`] = apart.counted;
			figures[LOST] = Number(figures[LOST]) + together.lost + apart.lost;
			figures[UNDONE] = Number(figures[UNDONE]) + size / 10 - apart.counted;
		}
		reportFigures('A count in global static data', figures, [LOST, UNDONE]);
	}, KEEP_EXECUTIONS);
}

/**
 * Sends `size` deliveries with CONCURRENCY clients. If fewer are to be counted, these come from one more client, which waits for
 * the end of each execution.
 */
async function count(
	host: TemporaryN8n,
	node: NodeMaker,
	trigger: WorkflowNode,
	size: number,
	counted: number,
): Promise<{ counted: number; lost: number }> {
	const code = node('Count', 'n8n-nodes-base.code', { jsCode: COUNT });
	const workflow = await host.client.saveWorkflow({
		name: `Count ${randomUUID()}`,
		nodes: [trigger, code],
		connections: chain([trigger.name, code.name]),
	});
	await host.client.publish(workflow);
	const url = `${host.n8n.webhooks}/webhook/${trigger.webhookId}/webhook`;
	const since = newestExecution(host);
	const deliver = async (id: string, status: string) => {
		const answer = await request(url, {
			method: 'POST',
			body: JSON.stringify({ event: 'admin_funding', id, status }),
			headers: { 'content-type': 'application/json' },
		});
		await answer.body.dump();
		if (answer.statusCode !== 200) throw new Error(`n8n answered ${answer.statusCode}`);
	};
	const isMixed = counted < size;
	const ids = Array.from({ length: size }, (_, index) => `e${index}`).values();
	const client = async () => {
		for (const id of ids) await deliver(id, isMixed ? 'other' : 'counted');
	};
	const clients = Array.from({ length: CONCURRENCY }, client);
	if (isMixed) {
		for (let index = 0; index < counted; index += 1) {
			await deliver(`counted${index}`, 'counted');
			await until('the execution', () => hasSucceeded(host, workflow.id, `counted${index}`) || undefined);
		}
	}
	await Promise.all(clients);
	const expected = isMixed ? size + counted : size;
	const executions = await allSucceeded(host, workflow.id, since, expected);
	return { counted: countIn(host, workflow.id), lost: expected - executions.count };
}

/** Whether the execution of the delivery with that id has ended. */
function hasSucceeded(host: TemporaryN8n, workflowId: string, id: string): boolean {
	const rows = queryDatabase(
		host,
		`SELECT 1 FROM execution_entity e JOIN execution_data d ON d.executionId = e.id
		WHERE workflowId = ? AND status = 'success' AND instr(data, ?) > 0`,
		workflowId,
		`"${id}"`,
	);
	return rows.length > 0;
}

/** The count in the workflow's static data. */
function countIn(host: TemporaryN8n, workflowId: string): number {
	const [row] = queryDatabase(host, 'SELECT staticData FROM workflow_entity WHERE id = ?', workflowId);
	const staticData = JSON.parse(String(row?.staticData ?? '{}')) as { global?: { count?: number } } | null;
	return staticData?.global?.count ?? 0;
}
