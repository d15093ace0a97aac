/** What a row of Pay List asks of n8n. Each statement is a way to the database, so these decide how long a list takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryCredentials } from '../memoryCredentials.ts';
import { timing } from '../memoryProcessedItems.ts';
import { CONTINUED, resultOf, withNode } from '../withNode.ts';

const { credentials, run, accepted } = withNode();

/** With every guard: a key, a total, the check for duplicates and a number of the day. */
const PAY_LIST = {
	resource: 'payoutList',
	operation: 'pay',
	limits: { limit: [{ code: 'NGN', maximumAmount: '1000', maximumTotal: '1000000' }] },
	options: { duplicateCheck: '7', maximumPerDay: '100000' },
};

let made = 0;

const newRows = (count: number) =>
	Array.from({ length: count }, () => {
		made += 1;
		const row = { paymentKey: `ROW-${made}`, amount: `${made}.01`, currency: 'NGN' };
		return { json: { ...row, destination: 'supplier-main', approvedBy: 'Ada Obi' } };
	});

/** Pays new rows in one run. Returns how often each but the first has asked the table. `whenAsked`: called each time. */
async function callsOfRows(count: number, whenAsked = () => {}): Promise<number[]> {
	const calls: number[] = [];
	const before = accepted().length;
	timing.fail = () => {
		const row = accepted().length - before;
		calls[row] = (calls[row] ?? 0) + 1;
		whenAsked();
		return undefined;
	};
	const items = newRows(count);
	const results = (await run(PAY_LIST, { ...CONTINUED, items })).items.flat().map(resultOf);
	expect(results).toEqual(items.map(() => 'paid'));
	expect(accepted().slice(before)).toEqual(items.map(({ json }) => json.amount));
	// From one answer of the service to the next. Behind the last one, there is no next row.
	return calls.slice(1, -1);
}

/** The first payment of a day looks for old days in the background. */
async function sweepEnds(): Promise<void> {
	let calls = 0;
	timing.fail = () => void (calls += 1);
	for (let seen = -1; seen !== calls; await sleep(300)) seen = calls;
}

test('the last rows of a list ask the table as often as the first: eleven times at most', async () => {
	await callsOfRows(1);
	await sweepEnds();
	const calls = await callsOfRows(60);
	expect(calls).toHaveLength(59);
	expect(new Set(calls).size).toBe(1);
	// Paid, and no longer begun; paid and used before; begun, sent and used; alike, its period and the one before; of the day.
	expect(calls[0]).toBeLessThanOrEqual(11);
});

test('the credential of a list is read once: its rows go to the account whose keys were taken, even if it changes meanwhile', async () => {
	const decrypt = jest.spyOn(MemoryCredentials.prototype, 'getDecrypted');
	const changed = { ...credentials, baseUrl: 'http://127.0.0.1:9' };
	await callsOfRows(5, () => decrypt.mockResolvedValue(changed as never));
	expect(decrypt).toHaveBeenCalledTimes(1);
	decrypt.mockRestore();
});
