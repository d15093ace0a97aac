/** Executes the workflows that the action bench compares, one at a time, and measures them. */
import { request } from 'undici';
import { itemsOf } from '../../host/n8n/client.ts';
import { control } from '../../host/sandboxClient.ts';
import { kill, start } from '../../host/sandboxProgram.ts';
import { allSucceeded, newestExecution } from '../shared/executions.ts';
import { elementAt, entryOf } from '../shared/lists.ts';
import type { TemporaryN8n } from '../shared/temporaryN8n.ts';
import { ITEM } from './calls.ts';
import type { Call, Contender } from './calls.ts';
import { publishRun } from './actionWorkflows.ts';
import type { PublishedRun, Run } from './actionWorkflows.ts';

/** n8n notes whole milliseconds, so a single item goes through this many nodes of the same kind, one after another. */
export const COPIES = 25;

/** Signatures made beforehand are renewed after this time; the sandbox accepts them for five minutes. */
const SIGNATURE_LIFE_MS = 100_000;

export interface ActionRunner {
	/** Executes a call with this many items. Returns items per second. Throws if an item does not come out as it should. */
	measure(call: Call, contender: Contender, items: number): Promise<number>;
	stop(): Promise<void>;
}

/** Starts a sandbox in another process. Workflows are published when they are first measured. */
export async function startActionRunner(host: TemporaryN8n): Promise<ActionRunner> {
	// A payout that settles later would be work in another round.
	const { child, sandbox } = await start('--settle-after', 'never');
	const stop = async () => await kill(child, 'SIGKILL');
	try {
		const dependencies = { client: host.client, sandbox };
		const published = new Map<string, PublishedRun>();
		const publishedWithFreshSignature = async (run: Run): Promise<PublishedRun> => {
			const name = `${run.call.path} ${run.contender} ${run.copies}`;
			const known = published.get(name);
			if (known !== undefined && Date.now() - known.at < SIGNATURE_LIFE_MS) return known;
			const made = await publishRun(dependencies, name, run);
			published.set(name, made);
			return made;
		};
		const measure: ActionRunner['measure'] = async (call, contender, items) => {
			const copies = items === 1 ? COPIES : 1;
			await control(sandbox, 'POST reset');
			const run = await publishedWithFreshSignature({ call, contender, copies });
			return (items * copies * 1000) / (await nodeTime(host, run, items));
		};
		return { measure, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Executes a workflow once. Returns the milliseconds that the nodes of its branches took together. */
async function nodeTime(
	host: TemporaryN8n,
	{ workflow, path, branches }: PublishedRun,
	items: number,
): Promise<number> {
	const since = newestExecution(host);
	const { statusCode, body } = await request(`${host.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
	const text = await body.text();
	if (statusCode !== 200) throw new Error(`${workflow.name}: ${statusCode} ${text}`);
	await allSucceeded(host, workflow.id, since, 1);
	const execution = await host.client.ended(String(newestExecution(host)));
	for (const branch of branches) {
		const results = itemsOf(execution, elementAt(branch, branch.length - 1));
		const good = results.filter(({ currency, error }) => currency === ITEM.currency && error === undefined);
		if (good.length !== items || results.length !== items)
			throw new Error(`${workflow.name}: ${good.length} of ${items} items came out correctly`);
	}
	const runs = branches.flat().flatMap((name) => entryOf(execution.data.resultData.runData, name));
	// n8n's clock may be too coarse for a short run; the rate stays finite.
	return Math.max(
		1,
		runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
	);
}
