/** A second `npm start` with the data of an earlier one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import { checkMainJob } from './expectedMainJob.ts';

jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'wallet-service-start-'));
const start = () =>
	startStack({ userFolder: folder, sandboxDatabase: join(folder, 'sandbox.db'), owner: TEMPORARY_OWNER });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a second start keeps edited examples, imports a deleted one again, and the main job works', async () => {
	const first = await start();
	const { payouts, all } = first.examples;
	const nodes = payouts.nodes.map((node) => (node.name === 'Pay out' ? { ...node, notes: 'Mine' } : node));
	const changed = await first.client.saveWorkflow({ ...payouts, nodes });
	const deleted = all.get('every-event')!;
	await first.client.rest('POST', `/workflows/${deleted.id}/archive`, {});
	await first.stop();

	const second = await start();
	try {
		expect(second.examples.payouts).toMatchObject({ id: payouts.id, versionId: changed.versionId });
		expect(second.examples.payouts.nodes).toContainEqual(expect.objectContaining({ notes: 'Mine' }));
		expect(second.examples.all.get('every-event')!.id).not.toBe(deleted.id);
		await checkMainJob(second);
	} finally {
		await second.stop();
	}
});
