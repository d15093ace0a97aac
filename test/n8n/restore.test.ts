/** The steps of docs/set-up/back-up-and-restore.md on a real n8n with SQLite: what a restored backup pays again without them, and with them. */
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { itemsOf, until } from '../../host/n8n/client.ts';
import { packagesFolder } from '../../host/n8n/process.ts';
import { startTemporaryStack } from '../../host/stack.ts';
import { quiet, withDatabase } from '../../host/testkit/database.ts';
import { deliver } from '../../host/testkit/deliveries.ts';
import { amountsPaid, pay, publishPayer, startPaying } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { node } from '../../host/testkit/workflows.ts';
import { useOwnStack } from './setup.ts';

const stack = useOwnStack(() => startTemporaryStack({ examples: [] }));

const ASKED = { key: 'asked', amount: '10.01' };
const LISTED = { key: 'listed', amount: '20.02' };

/** Pays after somebody has opened the link of its question. */
let asking: Payer;
let paying: Payer;
/** Of the question. */
let link: string;

const inFolder = (name: string) => join(stack.n8n.options.userFolder, '.n8n', name);
const DATABASE = 'database.sqlite';

/** Copies the database as `sqlite3 .backup` does. */
function backUp(name: string): void {
	withDatabase(stack, (database) => database.prepare('VACUUM INTO ?').run(inFolder(name)));
}

/** Stops n8n, and puts the backup in the place of its database, which is kept as `newer.sqlite`. */
async function putBack(): Promise<void> {
	await stack.n8n.stop();
	rmSync(inFolder('newer.sqlite'), { force: true });
	backUp('newer.sqlite');
	for (const end of ['-wal', '-shm']) rmSync(inFolder(DATABASE + end), { force: true });
	copyFileSync(inFolder('backup.sqlite'), inFolder(DATABASE));
}

const waiting = async () =>
	(await stack.client.executionsWithData(asking.workflow.id)).find(({ status }) => status === 'waiting');

const answer = async () => await deliver(link, '{}');

beforeAll(async () => {
	const before = [
		node('Link', 'set', {
			mode: 'raw',
			jsonOutput: '={{ { ...$json, link: $execution.resumeUrl } }}',
			options: {},
		}),
		node('Ask', 'wait', { resume: 'webhook', httpMethod: 'POST', options: {} }, { typeVersion: 1.1 }),
		node('Payment', 'set', { mode: 'raw', jsonOutput: "={{ $('Link').first().json }}", options: {} }),
	];
	asking = await publishPayer(stack, 'Asks', { before, answers: 'at once' });
	paying = await publishPayer(stack, 'Pays');
	await startPaying(stack.n8n, asking, [ASKED]);
	const asked = await until('the question', waiting);
	link = String(itemsOf(asked, 'Link')[0]!.link);
	backUp('backup.sqlite');

	// What happens after the backup.
	await answer();
	await until('the payment behind the answer', () => amountsPaid(stack).length === 1);
	await pay(stack.n8n, paying, [LISTED]);
	expect(amountsPaid(stack)).toEqual(['10.01', '20.02']);
});

test('a backup that is restored and started pays again what was paid after it', async () => {
	await putBack();
	await stack.restart('stop', asking.workflow, paying.workflow);
	await until('the question', waiting);
	await answer();
	await until('the second payment', () => amountsPaid(stack).length === 3);
	expect(await pay(stack.n8n, paying, [LISTED])).toMatchObject([{ result: 'paid' }]);
	expect(amountsPaid(stack)).toEqual(['10.01', '20.02', '10.01', '20.02']);
});

test('with the steps of the guide, it pays nothing again', async () => {
	const guide = readFileSync('docs/set-up/back-up-and-restore.md', 'utf8');
	const [cancel = '', bringKeys = ''] = [...guide.matchAll(/^ *```sql\n([^`]+)```/gm)].map(([, sql]) => sql!);
	await putBack();
	const listed = withDatabase(stack, (database) => database.prepare(cancel.split(';')[0]!).all());
	expect(listed).toMatchObject([{ name: 'Asks', status: 'waiting' }]);
	withDatabase(stack, (database) => {
		database.exec(cancel);
		database.exec(bringKeys.replace('/backup/newer.sqlite', inFolder('newer.sqlite')));
	});
	const [, command = ''] = /^ *n8n (unpublish:\S+ --all)$/m.exec(guide) ?? [];
	const { userFolder } = stack.n8n.options;
	const n8n = join(packagesFolder(), 'n8n/bin/n8n');
	const env = { ...process.env, N8N_USER_FOLDER: userFolder };
	await promisify(execFile)(process.execPath, [n8n, ...command.split(' ')], { env });

	await stack.restart('stop');
	const begin = startPaying(stack.n8n, paying, [LISTED]);
	await expect(begin).rejects.toThrow('n8n answered 404');
	expect((await answer()).status).toBe(404);
	await stack.client.publish(paying.workflow);
	await stack.client.publish(asking.workflow);
	expect((await answer()).status).toBe(404);
	expect(await pay(stack.n8n, paying, [LISTED])).toMatchObject([{ result: 'alreadyPaid' }]);
	// The list whose question was cancelled is handed in again.
	await startPaying(stack.n8n, asking, [ASKED]);
	const asked = await until('the question', waiting);
	await deliver(String(itemsOf(asked, 'Link')[0]!.link), '{}');
	await quiet(stack, { withWaiting: true });
	expect(amountsPaid(stack)).toHaveLength(4);
});
