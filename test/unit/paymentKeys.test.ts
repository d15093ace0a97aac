/** Payment Keys, over rows in memory. paymentKeyModel.test.ts tries all schedules. */

import { PaymentKeys } from '../../nodes/WalletService/payments/guards/idempotencyKey.ts';
import type { Claim, Decision, KeyState } from '../../nodes/WalletService/payments/guards/idempotencyKey.ts';
import type { Rows } from '../../nodes/shared/store/rows.ts';
import { memoryRows } from './memoryRows.ts';
import { turn } from '../fixtures/turn.ts';
import { startProcess } from './processes.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const BEGIN = Date.UTC(2026, 10, 27, 14);
/** When a person may decide about what began at BEGIN: after five minutes, to the half minute, and half a minute for clocks. */
const MAY_DECIDE = new Date(BEGIN + 6 * MINUTE);

/** The time in every process, in milliseconds since 1970. */
let time: number;
beforeEach(() => (time = BEGIN));
let rows: ReturnType<typeof memoryRows>;
beforeEach(() => (rows = memoryRows()));

/** Both clocks of a process show this time. */
const showing = (now: () => number) => ({ machine: now, process: now });
const newProcess = (now = () => time) => new PaymentKeys(showing(now));
const KEY = { written: 'A', compared: 'a', sent: 'A' };
type Asked = {
	decision?: Decision;
	amount?: string;
	account?: string;
	of?: typeof rows;
	key?: typeof KEY;
};
/** Claims the key `a` for a payment with these details. */
const claim = async (
	keys: PaymentKeys,
	{ decision = 'doNotPay', of = rows, key = KEY, ...details }: Asked = {},
) =>
	await keys.claim(
		of,
		{ key, details: { account: 'live', operation: 'pay', amount: '1', ...details } },
		decision,
	);
const claimed = (taken: Claim | KeyState) => {
	if (taken.is !== 'claimed') throw new Error(`The key is ${taken.is}`);
	return taken;
};
const wasNotPaid = { decision: 'wasNotPaid' } as const;
const unknown = (mayDecide: 'now' | 'whenTold' | Date) => ({ is: 'unknown', mayDecide });
const signal = () => {
	let give = () => {};
	const given = new Promise<void>((resolve) => (give = resolve));
	return { given, give: () => give() };
};
/** The outcome stays unknown, and the request is over. */
const leaveUnknown = async () => {
	await claimed(await claim(newProcess())).end('unknown');
	time += 6 * MINUTE;
};
/** What is known of the key, by one who writes nothing. */
const look = async ({ decision = 'doNotPay', ...details }: Omit<Asked, 'of' | 'key'> = {}) => {
	const before = JSON.stringify([...rows.table]);
	const payment = { key: KEY, details: { account: 'live', operation: 'pay', amount: '1', ...details } };
	const exists: Rows['exists'] = async (name) => await rows.exists(name);
	const state = await newProcess().look({ ...rows, exists }, payment, decision);
	expect(JSON.stringify([...rows.table])).toBe(before);
	return state;
};

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
		expect(await claim(newProcess())).toEqual(unknown('now'));
	},
);

test('a key in another spelling waits for the payment that is under way in this process', async () => {
	const keys = newProcess();
	const first = claimed(await claim(keys));
	const second = claim(keys, { key: { written: 'a ', compared: 'a', sent: 'a' } });
	expect(await Promise.race([second, turn().then(() => 'waits')])).toBe('waits');
	await first.end('accepted');
	expect(await second).toEqual({ is: 'paid' });
});

test('a payment under the key of another one is refused, even if the words for what differs cannot be asked for', async () => {
	await claimed(await claim(newProcess())).end('accepted');
	const make: Rows['make'] = () => Promise.reject(new Error('database is locked'));
	const taken = await claim(newProcess(), { amount: '2', of: { ...rows, make } });
	expect(taken).toEqual({ is: 'different', details: [] });
});

test('a row that was made to ask what differs is deleted once: later it may be that of another payment', async () => {
	const others = { decision: 'doNotPay' as const, amount: '3' };
	let isFirst = true;
	let asked = 0;
	const exists: Rows['exists'] = async (name) =>
		(name[0] === 'used' && (asked += 1) <= 2) || (await rows.exists(name));
	const remove: Rows['delete'] = async (name) => {
		await rows.delete(name);
		if (name[0] !== 'used' || !isFirst) return;
		isFirst = false;
		expect((await claim(newProcess(), others)).is).toBe('claimed');
		throw new Error('database is locked');
	};
	const asking = claim(newProcess(), { amount: '2', of: { ...rows, exists, delete: remove } });
	await expect(asking).rejects.toThrow('database is locked');
	expect((await claim(newProcess(), { amount: '2' })).is).toBe('different');
});

test('a paid key has three rows', async () => {
	await claimed(await claim(newProcess())).end('accepted');
	const kinds = [...rows.table.keys()].map((name) => name.split(' ')[0]);
	expect(kinds.sort()).toEqual(['paid', 'sent', 'used']);
});

test('a new key asks eleven statements, and a paid one asks one', async () => {
	const load = async () => await import('../../nodes/WalletService/payments/guards/idempotencyKey.ts');
	const { module, rows: counted, statements } = await startProcess(new Map(), load);
	const keys = new module.PaymentKeys();
	const payment = { key: KEY, details: { account: 'live', operation: 'pay', amount: '1' } };
	const first = claimed(await keys.claim(counted, payment, 'doNotPay'));
	await first.end('accepted');
	// `paid` and `used` are asked for; `begun`, `sent`, `used` and `paid` are made by two statements each; `begun` is deleted.
	expect(statements()).toBe(2 + 4 * 2 + 1);
	expect(await keys.claim(counted, payment, 'doNotPay')).toEqual({ is: 'paid' });
	expect(statements()).toBe(1);
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
	await turn();
	expect(second).toBeUndefined();
	await first.end('accepted');
	expect(await waiting).toEqual({ is: 'paid' });
});

test('what sends nothing keeps nobody waiting', async () => {
	await leaveUnknown();
	const keys = newProcess();
	const exists: Rows['exists'] = () => Promise.reject(new Error('database is locked'));
	await expect(claim(keys, { of: { ...rows, exists } })).rejects.toThrow('database is locked');
	expect(await claim(keys)).toEqual(unknown('now'));
	expect(await claim(keys)).toEqual(unknown('now'));
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

/** What another process does between two questions of this one. */
describe('beside another process', () => {
	/** Rows whose next `make` of a row of this kind waits until the other process has done something. */
	const before = (kind: string, act: () => Promise<unknown>, isAfter = false): typeof rows => {
		let isDone = false;
		return {
			...rows,
			make: async (name, ...texts) => {
				const actNow = async () => {
					if (name[0] !== kind || isDone) return;
					isDone = true;
					await act();
				};
				if (!isAfter) await actNow();
				const made = await rows.make(name, ...texts);
				if (isAfter) await actNow();
				return made;
			},
		};
	};
	const kinds = () => [...rows.table.keys()].map((name) => name.split(' ')[0]).sort();

	test('who is faster by one question pays, and the other one learns of it', async () => {
		const paysFirst = async () => await claimed(await claim(newProcess())).end('accepted');
		expect(await claim(newProcess(), { of: before('sent', paysFirst) })).toEqual({ is: 'paid' });
		expect(kinds()).toEqual(['paid', 'sent', 'used']);
	});

	test.each(['doNotPay', 'wasNotPaid', 'wasPaid'] as const)(
		'%s sends nothing while who was faster is under way',
		async (decision) => {
			const of = before('sent', () => claim(newProcess()));
			const taken = await claim(newProcess(), { decision, of });
			// It Was Paid asks for no row of a key that nobody has used.
			// Who was faster found the first half minute taken.
			const over = new Date(MAY_DECIDE.getTime() + 30 * SECOND);
			expect(taken).toEqual(decision === 'wasPaid' ? { is: 'unrecorded' } : unknown(over));
			expect(kinds()).toEqual(decision === 'wasPaid' ? [] : ['begun', 'sent', 'used']);
		},
	);

	test('a key that was free for one question is taken at the next one', async () => {
		const isRefused = async () => await claimed(await claim(newProcess())).end('rejected');
		expect((await claim(newProcess(), { of: before('begun', isRefused) })).is).toBe('claimed');
		rows = memoryRows();
		const first = claimed(await claim(newProcess()));
		// It is freed when its payment is read as unknown.
		const exists: Rows['exists'] = async (name) => {
			if (name[0] === 'begun' && rows.table.has('used a')) await first.end('rejected');
			return await rows.exists(name);
		};
		expect((await claim(newProcess(), { of: { ...rows, exists } })).is).toBe('claimed');
	});

	test('of two payments with one key, who is faster by one question has it, and the other one leaves no row', async () => {
		const takesFirst = () => claim(newProcess(), { amount: '2' });
		const taken = await claim(newProcess(), { of: before('used', takesFirst) });
		expect(taken).toEqual({ is: 'different', details: ['amount'] });
		expect(kinds()).toEqual(['begun', 'sent', 'used']);
	});

	test('a key whose other payment is refused at this instant is free', async () => {
		const first = claimed(await claim(newProcess(), { amount: '2' }));
		const of = before('used', async () => await first.end('rejected'));
		await claimed(await claim(newProcess(), { of })).end('accepted');
		expect(kinds()).toEqual(['paid', 'sent', 'used']);
	});

	test('what was said of a payment that is freed meanwhile is said of none', async () => {
		await leaveUnknown();
		const second = claimed(await claim(newProcess(), wasNotPaid));
		const of = before('told', async () => await second.end('rejected'));
		expect((await claim(newProcess(), { of })).is).toBe('claimed');
		expect(kinds().filter((kind) => kind === 'told' || kind === 'attempt')).toEqual([]);
	});

	test('what is paid while it is called unknown is paid', async () => {
		await leaveUnknown();
		const second = claimed(await claim(newProcess(), wasNotPaid));
		const of = before('told', async () => await second.end('accepted'));
		expect(await claim(newProcess(), { of })).toEqual({ is: 'paid' });
	});

	test.each(['sent', 'begun'])(
		'where others take and free the key all the time, it ends: %s',
		async (kind) => {
			let asked = 0;
			const make: Rows['make'] = async (name, ...texts) => {
				if (name[0] !== kind) return await rows.make(name, ...texts);
				asked += 1;
				return { is: 'others', missing: [] };
			};
			const taking = claim(newProcess(), { of: { ...rows, make } });
			await expect(taking).rejects.toThrow('other processes use the key all the time');
			expect([asked, rows.table.size]).toEqual([kind === 'sent' ? 20 : 3, 0]);
		},
	);

	test('a decision that was there before counts what decisions have left', async () => {
		await claimed(await claim(newProcess(), wasNotPaid)).end('unknown');
		// A kill has freed the key in part.
		for (const name of rows.table.keys()) if (/^(used|sent)/.test(name)) rows.table.delete(name);
		time += 6 * MINUTE;
		await claimed(await claim(newProcess(), wasNotPaid)).end('unknown');
		const attempts = [...rows.table.keys()].filter((name) => name.startsWith('attempt'));
		expect(attempts.map((name) => name.at(-1)).sort()).toEqual(['1', '2']);
		time += 6 * MINUTE;
		expect(await claim(newProcess(), wasNotPaid)).toEqual(unknown('whenTold'));
	});

	test('a decision that was slower says nothing of the payment, so that it can be decided on only when it was read', async () => {
		const of = before('sent', () => claim(newProcess(), wasNotPaid));
		expect(await claim(newProcess(), { ...wasNotPaid, of })).toEqual(unknown('whenTold'));
		expect(kinds()).not.toContain('told');
	});

	test('of two decisions the one whose row comes later leaves no time behind', async () => {
		await leaveUnknown();
		const of = before('begun', () => claim(newProcess(), wasNotPaid));
		expect(await claim(newProcess(), { ...wasNotPaid, of })).toEqual(unknown('whenTold'));
		// The payment's first time, and that of the decision that acts.
		expect(kinds().filter((kind) => kind === 'begun')).toHaveLength(2);
	});

	describe('a decision about a payment that another decision has made, and the service has refused,', () => {
		/** Meanwhile the other decision acts, and frees the key. */
		const isFreed = async () => await claimed(await claim(newProcess(), wasNotPaid)).end('rejected');
		const begins = async () => expect((await claim(newProcess())).is).toBe('claimed');
		const decide = async (of: typeof rows) =>
			await claim(
				new PaymentKeys(
					showing(() => time),
					async () => {},
				),
				{ ...wasNotPaid, of },
			);
		beforeEach(leaveUnknown);

		test('is about no payment: the next one is new', async () => {
			expect(await decide(before('begun', isFreed))).toMatchObject({ is: 'claimed', isDecided: false });
		});

		test('is not about the next payment, which is under way', async () => {
			const of = before('begun', async () => {
				await isFreed();
				await begins();
			});
			expect(await decide(of)).toEqual(unknown('whenTold'));
		});

		test('is not about the next payment, which begins while it looks', async () => {
			const of = before('begun', isFreed);
			let isAttempt = false;
			const make: Rows['make'] = async (name, ...texts) => {
				const made = await of.make(name, ...texts);
				isAttempt ||= name[0] === 'attempt';
				return made;
			};
			const exists: Rows['exists'] = async (name) => {
				if (isAttempt && name[0] === 'sent') {
					isAttempt = false;
					await begins();
				}
				return await rows.exists(name);
			};
			expect(await decide({ ...rows, make, exists })).toEqual(unknown('whenTold'));
		});

		/** When it asks for `sent` the second time, a payment begins before the answer, and is refused after it. */
		const beside = (refused: Array<Promise<void>>): Rows['exists'] => {
			let asked = 0;
			return async (name) => {
				if (name[0] !== 'sent' || (asked += 1) !== 2) return await rows.exists(name);
				const other = claimed(await claim(newProcess()));
				const isThere = await rows.exists(name);
				refused.push(other.end('rejected'));
				await Promise.allSettled(refused);
				return isThere;
			};
		};

		test('is not about the next payment, which is refused while it looks. That one is not freed', async () => {
			const refused: Array<Promise<void>> = [];
			const of = { ...before('begun', isFreed), exists: beside(refused) };
			expect(await decide(of)).toEqual(unknown('whenTold'));
			await expect(refused[0]).rejects.toThrow('a decision about it acts');
		});

		test('sends under rows of its own, if it was about an attempt that is gone', async () => {
			const attempt = claimed(await claim(newProcess(), wasNotPaid));
			await claim(newProcess());
			const ask = beside([]);
			const exists: Rows['exists'] = async (name) => {
				const isThere = await ask(name);
				if (name[0] === 'told' && isThere) await attempt.end('rejected');
				return isThere;
			};
			await claimed(await decide({ ...rows, exists })).end('unknown');
			expect((await claim(newProcess())).is).toBe('unknown');
		});
	});

	test('a decision that is alone waits for nobody, and one that is not pauses once', async () => {
		await leaveUnknown();
		const pause = () => Promise.reject(new Error('it has paused'));
		const keys = new PaymentKeys(
			showing(() => time),
			pause,
		);
		expect(await claim(keys, wasNotPaid)).toMatchObject({ is: 'claimed', isDecided: true });
	});

	test('a payment that was cut off before it had the key sends nothing under the key of another one', async () => {
		await claimed(await claim(newProcess())).end('unknown');
		rows.table.delete('used a');
		await claimed(await claim(newProcess(), { amount: '2' })).end('accepted');
		time += 6 * MINUTE;
		const times = kinds().filter((kind) => kind === 'begun');
		expect(await claim(newProcess(), wasNotPaid)).toEqual({ is: 'different', details: ['amount'] });
		expect(kinds().filter((kind) => kind === 'begun')).toEqual(times);
	});

	test('a row of the time that cannot be deleted changes nothing', async () => {
		const fails: Rows['delete'] = async () => await Promise.reject(new Error('database is locked'));
		await claimed(await claim(newProcess(), { of: { ...rows, delete: fails } })).end('accepted');
		expect(await claim(newProcess())).toEqual({ is: 'paid' });
	});
});

describe('a decision', () => {
	test.each([1.2, 5.2, 300])('%d s beside a request in another process sends nothing', async (seconds) => {
		const first = claimed(await claim(newProcess()));
		time = BEGIN + seconds * SECOND;
		for (const decision of ['wasNotPaid', 'wasPaid'] as const)
			expect(await claim(newProcess(), { decision })).toEqual(unknown(MAY_DECIDE));
		await first.end('accepted');
		expect(await claim(newProcess(), wasNotPaid)).toEqual({ is: 'paid' });
	});

	test('about a request that is over acts once, and says when the next one may act', async () => {
		await claim(newProcess());
		time = MAY_DECIDE.getTime() - 1;
		expect(await claim(newProcess(), wasNotPaid)).toEqual(unknown(MAY_DECIDE));
		time += 1;
		const second = claimed(await claim(newProcess(), wasNotPaid));
		expect(second.mayDecide).toEqual(new Date(time + 6 * MINUTE));
		expect(await claim(newProcess(), wasNotPaid)).toEqual(unknown('whenTold'));
		expect(await claim(newProcess())).toEqual(unknown(second.mayDecide));
		expect(await claim(newProcess(), wasNotPaid)).toEqual(unknown(second.mayDecide));
		time = second.mayDecide.getTime();
		expect((await claim(newProcess(), wasNotPaid)).is).toBe('claimed');
	});

	test.each(['wasPaid', 'doNotPay'] as const)('%s acts on a request that was cut off', async (decision) => {
		await claim(newProcess());
		time += 6 * MINUTE;
		const state = decision === 'wasPaid' ? { is: 'paid' } : unknown('now');
		expect(await claim(newProcess(), { decision })).toEqual(state);
	});

	test('It Was Paid about a key that n8n has never seen sends nothing and leaves no row', async () => {
		expect(await claim(newProcess(), { decision: 'wasPaid' })).toEqual({ is: 'unrecorded' });
		expect(rows.table.size).toBe(0);
		expect((await claim(newProcess())).is).toBe('claimed');
	});

	test('that was there before the payment was sent says nothing about it', async () => {
		await claimed(await claim(newProcess(), wasNotPaid)).end('unknown');
		time += 6 * MINUTE;
		expect(await claim(newProcess(), wasNotPaid)).toEqual(unknown('whenTold'));
		expect(await claim(newProcess())).toEqual(unknown('now'));
		expect((await claim(newProcess(), wasNotPaid)).is).toBe('claimed');
	});

	test('of two processes whose clocks differ by half a minute, one acts', async () => {
		await leaveUnknown();
		const late = newProcess(() => time - 30 * SECOND);
		time += MINUTE;
		const both = await Promise.all([newProcess(), late].map(async (keys) => await claim(keys, wasNotPaid)));
		expect(both.filter(({ is }) => is === 'claimed')).toHaveLength(1);
	});

	/** Two persons decide at the same instant, in two processes. The second one leaves within the pause of the first one, or later. */
	const decideTogether = async ([one, other]: Decision[], leaves: 'in time' | 'late') => {
		await leaveUnknown();
		const [hasLooked, hasBegun, mayLeave] = [signal(), signal(), signal()];
		const slow = claim(newProcess(), {
			decision: other,
			of: {
				...rows,
				make: async (name, ...texts) => {
					if (name[0] === 'begun') hasLooked.give();
					// The first one has its row and its attempt, and has not looked at others yet.
					await hasBegun.given;
					return await rows.make(name, ...texts);
				},
				delete: async (name) => await mayLeave.given.then(async () => await rows.delete(name)),
			},
		});
		const make: Rows['make'] = async (name, ...texts) => {
			await hasLooked.given;
			const made = await rows.make(name, ...texts);
			if (name[0] === 'attempt') {
				hasBegun.give();
				await new Promise(setImmediate);
			}
			return made;
		};
		const pause = async () => {
			if (leaves === 'late') return;
			mayLeave.give();
			await slow;
		};
		const first = await claim(
			new PaymentKeys(
				showing(() => time),
				pause,
			),
			{ decision: one, of: { ...rows, make } },
		);
		mayLeave.give();
		return [first, await slow];
	};

	test('acts although another one of the same instant is slow to leave', async () => {
		const [first, second] = await decideTogether(['wasNotPaid', 'wasNotPaid'], 'in time');
		expect(first!.is).toBe('claimed');
		expect(second).toEqual(unknown('whenTold'));
	});

	test.each<Decision[][]>([
		[['wasNotPaid', 'wasNotPaid']],
		[['wasPaid', 'wasNotPaid']],
		[['wasNotPaid', 'wasPaid']],
	])(
		'%j at the same instant may both do nothing. The next one acts, once the outcome was told',
		async (both) => {
			expect(await decideTogether(both, 'late')).toEqual([unknown('whenTold'), unknown('whenTold')]);
			expect(await claim(newProcess(), wasNotPaid)).toEqual(unknown('whenTold'));
			expect(await claim(newProcess())).toEqual(unknown('now'));
			expect((await claim(newProcess(), wasNotPaid)).is).toBe('claimed');
		},
	);

	test('about what was paid meanwhile sends nothing', async () => {
		await leaveUnknown();
		const exists: Rows['exists'] = async (name) => {
			const isThere = await rows.exists(name);
			if (name[0] === 'paid') await rows.make(name);
			return isThere;
		};
		expect(await claim(newProcess(), { ...wasNotPaid, of: { ...rows, exists } })).toEqual({ is: 'paid' });
	});

	test('whose payment was refused frees the key', async () => {
		await leaveUnknown();
		await claimed(await claim(newProcess(), wasNotPaid)).end('rejected');
		expect([...rows.table.keys()].filter((name) => !name.startsWith('begun'))).toEqual([]);
		expect((await claim(newProcess(), { amount: '2' })).is).toBe('claimed');
	});
});

/** A decision waits for the request by both clocks of the process that sends it, and by the rows in every other one. */
describe('a decision after a clock was set, or on a machine with another one,', () => {
	/** What the clock of the machine shows more than the one that only runs on. */
	let ahead: number;
	beforeEach(() => (ahead = 0));
	const newMachine = () => new PaymentKeys({ machine: () => time + ahead, process: () => time });

	test.each([3, 10])('waits if that is %i minutes behind, and says from when on', async (minutes) => {
		await claim(newProcess());
		const behind = newProcess(() => time - minutes * MINUTE);
		for (time of [BEGIN, BEGIN + 4 * MINUTE, BEGIN + (6 + minutes) * MINUTE - 1])
			expect(await claim(behind, wasNotPaid)).toEqual(unknown(MAY_DECIDE));
		time += 1;
		expect((await claim(behind, wasNotPaid)).is).toBe('claimed');
	});

	test('does not act on a payment that begins while it looks, in a process that is three minutes ahead', async () => {
		await leaveUnknown();
		const ahead3 = newProcess(() => time + 3 * MINUTE);
		let isDone = false;
		const make: Rows['make'] = async (name, ...texts) => {
			if (name[0] === 'begun' && !isDone) {
				isDone = true;
				await claimed(await claim(ahead3, wasNotPaid)).end('rejected');
				expect((await claim(ahead3)).is).toBe('claimed');
			}
			return await rows.make(name, ...texts);
		};
		const decides = new PaymentKeys(
			showing(() => time),
			async () => {},
		);
		expect(await claim(decides, { ...wasNotPaid, of: { ...rows, make } })).toEqual(unknown('whenTold'));
	});

	test('waits six minutes by the other clock, if the clock is set ten minutes forward or the machine sleeps for ten', async () => {
		const keys = newMachine();
		await claimed(await claim(keys)).end('unknown');
		ahead = 10 * MINUTE;
		for (time of [BEGIN, BEGIN + 6 * MINUTE - 1])
			for (const decision of ['wasNotPaid', 'wasPaid'] as const)
				expect(await claim(keys, { decision })).toEqual(unknown(new Date(BEGIN + 16 * MINUTE)));
		time += 1;
		expect((await claim(keys, wasNotPaid)).is).toBe('claimed');
	});

	test('waits until the clock has made up for it, in every process, if it is set ten minutes back', async () => {
		const keys = newMachine();
		await claimed(await claim(keys)).end('unknown');
		ahead = -10 * MINUTE;
		for (time of [BEGIN, BEGIN + 6 * MINUTE, BEGIN + 16 * MINUTE - 1])
			for (const each of [keys, newMachine()])
				expect(await claim(each, wasNotPaid)).toEqual(unknown(MAY_DECIDE));
		time += 1;
		expect((await claim(newMachine(), wasNotPaid)).is).toBe('claimed');
	});

	test('waits in the process that sends, even if the clock is set an hour back', async () => {
		const keys = newMachine();
		await claimed(await claim(keys)).end('unknown');
		ahead = -60 * MINUTE;
		expect(await claim(keys, wasNotPaid)).toEqual(unknown(MAY_DECIDE));
	});

	test('is said to wait to who only looks', async () => {
		const keys = newMachine();
		await claimed(await claim(keys)).end('unknown');
		ahead = 10 * MINUTE;
		const payment = { key: KEY, details: { account: 'live', operation: 'pay', amount: '1' } };
		expect(await keys.look(rows, payment, 'wasNotPaid')).toEqual(unknown(new Date(BEGIN + 16 * MINUTE)));
	});

	test('waits for no payment of this process whose outcome is clear, and for none of another workflow', async () => {
		const keys = newMachine();
		await claimed(await claim(keys)).end('rejected');
		await claimed(await claim(newProcess())).end('unknown');
		await claimed(await claim(keys, { of: { ...memoryRows(), workflowId: 'another' } })).end('unknown');
		ahead = 10 * MINUTE;
		expect((await claim(keys, wasNotPaid)).is).toBe('claimed');
	});
});

/** A write of n8n's database may wait for minutes. Meanwhile a person decides, in a process whose database answers. */
test.each(['used', 'begun', 'sent'])(
	'a key that is freed so slowly that a person decides meanwhile is not free: %s',
	async (kind) => {
		let decided: Claim | KeyState | undefined;
		const slow: Rows['delete'] = async (name) => {
			if (name[0] === kind && decided === undefined) {
				time = MAY_DECIDE.getTime();
				decided = await claim(newProcess(), wasNotPaid);
				// This payment gets no answer.
				if (decided.is === 'claimed') await decided.end('unknown');
			}
			await rows.delete(name);
		};
		const first = claimed(await claim(newProcess(), { of: { ...rows, delete: slow } }));
		await first.end('rejected').catch(() => {});
		expect(decided?.is).toBe('claimed');
		expect((await claim(newProcess())).is).not.toBe('claimed');
	},
);

describe('the time of a claim', () => {
	test('a request begins within half a minute and is over after five', async () => {
		const { since, beginWithin, endWithin } = claimed(await claim(newProcess())).limit;
		expect([since.start, beginWithin, endWithin]).toEqual([BEGIN, 30 * SECOND, 5 * MINUTE]);
	});

	test('a refusal that comes when a person may decide does not free the key', async () => {
		const inTime = claimed(await claim(newProcess()));
		time += 5 * MINUTE;
		await inTime.end('rejected');
		const late = claimed(await claim(newProcess()));
		time += 5 * MINUTE + 1;
		await expect(late.end('rejected')).rejects.toThrow('too late');
		time += MINUTE;
		expect(await claim(newProcess())).toEqual(unknown('now'));
	});

	test.each([
		[30 * SECOND, true],
		[30 * SECOND + 1, false],
	])('a refusal after the clock was set back by %d ms frees the key: %s', async (back, isFreed) => {
		const keys = new PaymentKeys({ machine: () => time, process: () => 0 });
		const first = claimed(await claim(keys));
		time -= back;
		const ended = await first.end('rejected').catch((error: Error) => error.message);
		expect(ended).toBe(isFreed ? undefined : 'the answer came too late');
		expect(rows.table.size === 0).toBe(isFreed);
	});

	test('claims of one half minute have times of their own, and one that is refused leaves none', async () => {
		for (let round = 0; round < 5; round += 1) await claimed(await claim(newProcess())).end('rejected');
		expect(rows.table.size).toBe(0);
	});
});

test('who looks learns what the key knows, and writes nothing', async () => {
	expect(await look()).toBeUndefined();
	expect(await look({ decision: 'wasPaid' })).toEqual({ is: 'unrecorded' });
	const first = claimed(await claim(newProcess()));
	expect(await look()).toEqual(unknown(MAY_DECIDE));
	expect(await look({ amount: '2' })).toEqual({ is: 'different', details: [] });
	await first.end('accepted');
	expect(await look()).toEqual({ is: 'paid' });
	expect(await look({ decision: 'wasNotPaid' })).toEqual({ is: 'paid' });
});
