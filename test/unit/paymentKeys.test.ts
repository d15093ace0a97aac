/** Payment Keys, over rows in memory. paymentKeyModel.test.ts tries all schedules. */
import { PaymentKeys } from '../../nodes/WalletService/action/change/remember/paymentKeys.ts';
import type {
	Claim,
	Decision,
	KeyState,
} from '../../nodes/WalletService/action/change/remember/paymentKeys.ts';
import type { Rows } from '../../nodes/WalletService/shared/rows.ts';
import { memoryRows } from './memoryRows.ts';

const MINUTE = 60_000;
/** Early in a time of a decision. */
const BEGIN = 600_000 * 3_000_000;

let rows: ReturnType<typeof memoryRows>;
beforeEach(() => (rows = memoryRows()));

const newProcess = (clock = () => BEGIN) => new PaymentKeys(clock);
type Asked = { decision?: Decision; amount?: string; account?: string; of?: typeof rows };
/** Claims the key `a` for a payment with these details. */
const claim = async (keys: PaymentKeys, { decision = 'doNotPay', of = rows, ...details }: Asked = {}) =>
	await keys.claim(
		of,
		{ key: 'a', details: { account: 'live', operation: 'pay', amount: '1', ...details } },
		decision,
	);
const claimed = (taken: Claim | KeyState) => {
	if (taken.is !== 'claimed') throw new Error(`The key is ${taken.is}`);
	return taken;
};
const wasNotPaid = { decision: 'wasNotPaid' } as const;
const leaveUnknown = async () => await claimed(await claim(newProcess())).end('unknown');

test.each([
	[{ amount: '2' }, ['amount']],
	[{ account: 'test' }, ['account']],
	[{ account: 'test', amount: '2' }, ['account', 'amount']],
])('of another payment with the key, each process says what differs: %j', async (other, details) => {
	await claimed(await claim(newProcess())).end('accepted');
	expect(await claim(newProcess(), other)).toEqual({ is: 'different', details });
	expect(await claim(newProcess())).toEqual({ is: 'paid' });
});

test.each(['doNotPay', 'wasPaid', 'wasNotPaid'] as const)(
	'%s settles nothing of another account',
	async (decision) => {
		await leaveUnknown();
		const differs = { is: 'different', details: ['account'] };
		expect(await claim(newProcess(), { decision, account: 'test' })).toEqual(differs);
		expect(await claim(newProcess())).toEqual({ is: 'unknown', mayDecide: true });
	},
);

test('a payment under the key of another one is refused, also if the words for what differs cannot be asked for', async () => {
	await claimed(await claim(newProcess())).end('accepted');
	const make: Rows['make'] = () => Promise.reject(new Error('database is locked'));
	const taken = await claim(newProcess(), { amount: '2', of: { ...rows, make } });
	expect(taken).toEqual({ is: 'different', details: [] });
});

test('a payment that was not made leaves no row', async () => {
	await claimed(await claim(newProcess())).end('rejected');
	expect(rows.table.size).toBe(0);
});

test('a payment that is under way in this process is waited for, and one of another workflow is not', async () => {
	const keys = newProcess();
	const first = claimed(await claim(keys));
	let second: Claim | KeyState | undefined;
	const waiting = claim(keys).then((taken) => (second = taken));
	const elsewhere = { ...memoryRows(), workflowId: 'another' };
	expect((await claim(keys, { of: elsewhere })).is).toBe('claimed');
	await new Promise((resolve) => setTimeout(resolve, 20));
	expect(second).toBeUndefined();
	await first.end('accepted');
	expect(await waiting).toEqual({ is: 'paid' });
});

test('a payment whose rows cannot be written is not waited for', async () => {
	const keys = newProcess();
	const first = claimed(await claim(keys));
	const before = { ...rows };
	rows.delete = () => Promise.reject(new Error('database is locked'));
	await expect(first.end('notSent')).rejects.toThrow('database is locked');
	rows = before;
	expect((await claim(keys)).is).toBe('unknown');
});

describe('a decision', () => {
	test('about what was paid meanwhile sends nothing', async () => {
		await leaveUnknown();
		await claim(newProcess());
		const exists: Rows['exists'] = async (name) => {
			const isThere = await rows.exists(name);
			if (name[0] === 'paid') await rows.make(name);
			return isThere;
		};
		expect(await claim(newProcess(), { ...wasNotPaid, of: { ...rows, exists } })).toEqual({ is: 'paid' });
	});

	test('of two processes whose clocks differ by a second, one acts', async () => {
		await leaveUnknown();
		const late = newProcess(() => BEGIN + 10 * MINUTE - 500);
		const early = newProcess(() => BEGIN + 10 * MINUTE + 500);
		const both = await Promise.all([early, late].map(async (keys) => await claim(keys, wasNotPaid)));
		// Both may give way. Then the next one acts.
		const next = await claim(late, wasNotPaid);
		expect([...both, next].filter(({ is }) => is === 'claimed')).toHaveLength(1);
	});

	test('that ends unknown must be read before the next one, also if a kill has cut off a run beside it', async () => {
		await leaveUnknown();
		const first = claimed(await claim(newProcess(), wasNotPaid));
		const exists: Rows['exists'] = async (name) =>
			name[0] === 'decided' ? await new Promise(() => {}) : await rows.exists(name);
		void claim(newProcess(), { of: { ...rows, exists } });
		await new Promise((resolve) => setTimeout(resolve, 5));
		await first.end('unknown');
		expect(await claim(newProcess(), wasNotPaid)).toEqual({ is: 'unknown', mayDecide: false });
		expect(await claim(newProcess())).toEqual({ is: 'unknown', mayDecide: true });
	});
});
