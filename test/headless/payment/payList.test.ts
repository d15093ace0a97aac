/** Pay List: each row of a list is paid as the payout that it stands for, through the path of all payments. What is paid is counted at the service. */
import { readFileSync } from 'node:fs';
import { ExecuteContext } from 'n8n-core';
import { ageKeys } from '../memoryProcessedItems.ts';
import { CONTINUED, cryptoPayout, FIAT, listRow as row, PAY_LIST, resultOf, withNode } from '../withNode.ts';
import type { Setup } from '../withNode.ts';

const { run, resultsOf, fault, hints, sandbox, asked, restart } = withNode();

const CRYPTO_ROUTE = 'POST /v1/crypto_payout';
const coinRow = (paymentKey: string, amount = '5', more: object = {}) =>
	row(paymentKey, amount, { currency: undefined, coin: 'USDT', destination: 'treasury', ...more });
type Rows = Array<ReturnType<typeof row>>;

const pay = async (items: Rows, parameters: object = {}, more: Partial<Setup> = {}) =>
	(await run({ ...PAY_LIST, ...parameters }, { ...CONTINUED, items, ...more })).items.flat();
const paying = async (items: Rows, parameters: object = {}, more: Partial<Setup> = {}) =>
	(await pay(items, parameters, more)).map(resultOf);
const limits = (...limit: object[]) => ({ limits: { limit } });
const messageOf = ({ json }: { json: object }) => (json as { error?: Error }).error?.message;
/** What the service has paid, in order. */
const paid = () => [...sandbox.service.ledger.payouts.all()].map(({ amount, code }) => `${amount} ${code}`);

test('each row goes out as its payout, and every field of it is in its result', async () => {
	const more = { row: 2, line: 2, note: 'Rent', payee: 'Acme', extra: { invoice: '7' }, __proto__: null };
	const items = await pay([row('INV-1', '1250.50', more), coinRow('INV-2', '0.123456789012345678')]);
	expect(items.map(({ json }) => json)).toEqual([
		{
			result: 'paid',
			paymentKey: 'INV-1',
			payoutId: expect.stringMatching(/./),
			status: 'pending',
			amount: '1250.50',
			currency: 'NGN',
			accountAlias: 'supplier-main',
			destination: 'supplier-main',
			approvedBy: 'Ada Obi',
			problems: [],
			row: 2,
			line: 2,
			note: 'Rent',
			payee: 'Acme',
			extra: { invoice: '7' },
		},
		expect.objectContaining({
			result: 'paid',
			paymentKey: 'INV-2',
			amount: '0.123456789012345678',
			coin: 'USDT',
			walletAlias: 'treasury',
			destination: 'treasury',
			approvedBy: 'Ada Obi',
		}),
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	expect(sandbox.service.requests.all().map(({ path, body }) => [path, body])).toEqual([
		['/v1/fiat_payout', '{"currency":"NGN","amount":1250.50,"account_alias":"supplier-main"}'],
		['/v1/crypto_payout', '{"coin":"USDT","amount":0.123456789012345678,"wallet_alias":"treasury"}'],
	]);
});

test('what a row says as a result of another run is not in its result now', async () => {
	const old = {
		result: 'dryRun',
		dryRun: true,
		alreadyPaid: true,
		request: {},
		error: {},
		payoutId: 'po_old',
	};
	const forged = { ...old, status: 'failed', walletAlias: 'elsewhere', requestId: 'r-1', waiting: true };
	const [item, wrong] = await pay([row('a', '1', forged), row('b', 'one', forged)]);
	expect(item!.json).toMatchObject({ result: 'paid', status: 'pending', accountAlias: 'supplier-main' });
	expect(item!.json.payoutId).not.toBe('po_old');
	for (const name of ['dryRun', 'alreadyPaid', 'request', 'error', 'walletAlias', 'requestId', 'waiting'])
		expect(item!.json).not.toHaveProperty(name);
	expect(wrong!.json).toMatchObject({ result: 'notSent', amount: 'one', destination: 'supplier-main' });
	for (const name of ['dryRun', 'payoutId', 'status', 'accountAlias', 'walletAlias'])
		expect(wrong!.json).not.toHaveProperty(name, forged[name as keyof typeof forged]);
});

test('the fields of the request have the names of the account', async () => {
	const options = { amountField: 'sum', coinField: 'asset', destinationField: 'to', idField: 'ref' };
	const items = await pay([coinRow('a'), row('b')], {
		options: { ...options, dryRun: true, showRequest: true },
	});
	expect(items.map(({ json }) => (json.request as { body: object }).body)).toEqual([
		{ asset: 'USDT', sum: 5, to: 'treasury' },
		{ currency: 'NGN', amount: 10, account_alias: 'supplier-main' },
	]);
});

describe('Amount Format', () => {
	const options = { amountFormat: '1.250,50' };

	test('reads what a spreadsheet writes', async () => {
		const written = row('a', '1.250,50', { problems: undefined });
		expect(await paying([written])).toEqual(['notSent']);
		expect(await paying([written], { options })).toEqual(['paid']);
		expect(paid()).toEqual(['1250.50 NGN']);
	});

	test('changes no amount that Read gives: 1.125 stays one and an eighth', async () => {
		const read = { resource: 'list', operation: 'read', source: 'items' };
		const items = [{ json: { paymentKey: 'a', amount: 1.125, coin: 'USDT', destination: 'treasury' } }];
		const rows = (
			await run({ ...read, options: { checkDestinations: false } }, { type: 'walletServiceDesk', items })
		).items.flat();
		const approved = rows.map(({ json }) => ({ json: { ...json, approvedBy: 'Ada Obi' } }));
		expect(await paying(approved as unknown as Rows, { options })).toEqual(['paid']);
		expect(paid()).toEqual(['1.125 USDT']);
	});
});

describe('a row and a single payout with the same key are one payment', () => {
	const single = { ...FIAT, paymentKey: 'INV-1' };
	const singleCoin = {
		...cryptoPayout('{"coin":"USDT","amount":"5","wallet_alias":"treasury"}'),
		paymentKey: 'INV-2',
	};

	test('paid by the list first', async () => {
		expect(await paying([row('INV-1'), coinRow('INV-2')])).toEqual(['paid', 'paid']);
		expect(await resultsOf(single)).toEqual(['alreadyPaid']);
		expect(await resultsOf(singleCoin)).toEqual(['alreadyPaid']);
		expect(paid()).toEqual(['10 NGN', '5 USDT']);
	});

	test('paid by itself first', async () => {
		expect([await resultsOf(single), await resultsOf(singleCoin)]).toEqual([['paid'], ['paid']]);
		restart();
		expect(await paying([row('inv-1', '10.00'), coinRow('INV – 2')])).toEqual(['alreadyPaid', 'alreadyPaid']);
		expect(await paying([row('INV-1', '11'), coinRow('INV-1'), row('INV-2')])).toEqual(
			Array(3).fill('notSent'),
		);
		expect(paid()).toEqual(['10 NGN', '5 USDT']);
	});
});

describe('each row stands for itself', () => {
	test.each<[string, object, RegExp]>([
		['an amount that cannot be read', { amount: '1,5' }, /^'amount' has a comma: 1,5$/],
		['an amount that lost digits', { amount: 2 ** 53 + 2 }, /^'amount' came as the number/],
		['no amount', { amount: undefined }, /^'amount' is empty$/],
		['no destination', { destination: '' }, /^'destination' is empty$/],
		['a destination that is no text', { destination: ['supplier-main'] }, /^'destination' is not text$/],
		['no code', { currency: ' ' }, /not exactly one of 'currency' and 'coin'/],
		['both codes', { coin: 'USDT' }, /not exactly one of 'currency' and 'coin'/],
		['a small unit', { currency: 'NGn' }, /NGn is a small unit/],
		['no key', { paymentKey: undefined }, /^'paymentKey' of the row is empty$/],
		['an empty key', { paymentKey: ' ' }, /^'paymentKey' of the row is empty$/],
		[
			'a key that is no text',
			{ paymentKey: { id: 1 } },
			/^'paymentKey' of the row is neither text nor a number$/,
		],
		['a key that lost digits', { paymentKey: 2 ** 64 }, /^'paymentKey' came as the number/],
		['a key without a value', { paymentKey: 'INV-undefined' }, /so a value is missing/],
		[
			'a decision that is none',
			{ decision: 'paid' },
			/^'decision' is not doNotPay or wasNotPaid or wasPaid: paid$/,
		],
		['an unclear again', { again: 'perhaps' }, /^'again' is not true or false: perhaps$/],
		[
			'an approver who is nobody',
			{ approvedBy: 'nobody' },
			/^'approvedBy', the name of who has said yes, is no name of a person: nobody$/,
		],
		[
			'approvers as a list',
			{ approvedBy: ['Ada Obi'] },
			/^'approvedBy', the name of who has said yes, is no name of a person/,
		],
		[
			'problems',
			{ problems: ['The amount is odd.', 'So is the key.'] },
			/^The amount is odd\. So is the key$/,
		],
		['a problem that is no list', { problems: 'odd' }, /^odd$/],
		['problems that are no texts', { problems: [{ a: 1 }] }, /^\{"a":1\}$/],
	])('%s: the others are paid, in their order', async (_, wrong, message) => {
		const items = await pay([row('a', '1'), row('b', '2', wrong), row('c', '3')]);
		expect(items.map(resultOf)).toEqual(['paid', 'notSent', 'paid']);
		expect(messageOf(items[1]!)).toMatch(message);
		expect(paid()).toEqual(['1 NGN', '3 NGN']);
	});

	test('with On Error: Stop, the others are paid too, and the error says which ones', async () => {
		const items = [row('a', '1'), coinRow('b'), row('c', 'x'), row('d', '4'), row('e', 'y')];
		const { error } = await run(PAY_LIST, { items });
		expect(error?.message).toMatch(
			/^3 of 5 already paid\. 'amount' is not a decimal number: x \[item 3 of 5\]$/,
		);
		expect(error?.description).toMatch(
			/^Already paid: item 1: 1 NGN to supplier-main, key a, .*item 4: 4 NGN .*Not paid either: item 5\. /,
		);
		expect(error?.description).not.toMatch(/Not tried/);
		expect(error?.context).toMatchObject({
			executed: [
				{ itemIndex: 0, id: expect.any(String), amount: '1' },
				{ itemIndex: 1, id: expect.any(String), amount: '5' },
				{ itemIndex: 3, id: expect.any(String), amount: '4' },
			],
		});
	});

	test('of two rows with one key the first is paid, and the second says so, or that it is another payment', async () => {
		expect(await paying([row('a'), row('a'), row('a', '11'), coinRow('A')])).toEqual([
			'paid',
			'alreadyPaid',
			'notSent',
			'notSent',
		]);
		expect(paid()).toEqual(['10 NGN']);
	});

	test('after three in a row without a clear answer the rest is not sent, whatever their kind', async () => {
		await fault({ dropAfter: true }, 2);
		await fault({ dropAfter: true }, 1, CRYPTO_ROUTE);
		const items = [row('a', '1'), coinRow('b', '2'), row('c', '3'), row('d', 'x'), row('e'), coinRow('f')];
		expect(await paying(items)).toEqual(['unknown', 'unknown', 'unknown', 'notSent', 'notSent', 'notSent']);
		expect(paid()).toHaveLength(3);
		expect(asked()).toBe(3);
		// A new execution pays what is left, and asks for what is unknown.
		expect(await paying(items)).toEqual(['unknown', 'unknown', 'unknown', 'notSent', 'paid', 'paid']);
	});

	test('a credential that cannot be used holds all rows', async () => {
		const credentials = { baseUrl: 'ftp://wallet.example' };
		const { error } = await run(PAY_LIST, { credentials, items: [row('a'), row('b')] });
		expect(error?.message).toMatch(/^The credential cannot be used: [^[]*$/);
	});
});

describe('a decision stands in its row', () => {
	const leaveUnknown = async () => {
		await fault({ dropAfter: true }, 1);
		expect(await paying([row('a')])).toEqual(['unknown']);
	};

	test.each([
		['wasPaid', 'alreadyPaid', 1],
		['wasNotPaid', 'paid', 2],
		['doNotPay', 'unknown', 1],
	])('%s', async (decision, result, count) => {
		await leaveUnknown();
		expect(await paying([row('a', '10', { decision })])).toEqual(['unknown']);
		ageKeys();
		expect(await paying([row('a', '10', { decision }), row('b', '3')])).toEqual([result, 'paid']);
		expect(paid().filter((each) => each === '10 NGN')).toHaveLength(count);
	});

	test('what is said of an unknown row names its field, and no option', async () => {
		await fault({ dropAfter: true }, 1);
		const lost = await pay([row('a')]);
		const early = await pay([row('a'), row('a', '10', { decision: 'wasPaid' })]);
		ageKeys();
		const later = await pay([row('a')]);
		await pay([row('b', '3')], { options: { duplicateCheck: '7' } });
		const alike = await pay([row('c', '3')], { options: { duplicateCheck: '7' } });
		const unrecorded = await pay([row('new', '4', { decision: 'wasPaid' })]);
		const described = [...lost, ...early, ...later, ...alike, ...unrecorded].map(({ json }) =>
			String((json.error as { description?: string }).description),
		);
		for (const each of described) expect(each).not.toMatch(/option|Outcome Is|Allow/);
		expect(described[0]).toMatch(/Then write wasPaid or wasNotPaid into 'decision' of this row\.$/);
		expect(described.at(-2)).toMatch(/write true into 'again' of this row\.$/);
		expect(described.at(-1)).toMatch(/Empty 'decision' of this row and run it again\.$/);
	});

	test('without a name it decides nothing', async () => {
		await leaveUnknown();
		ageKeys();
		const undecided = { decision: 'wasNotPaid', approvedBy: undefined };
		expect(await paying([row('a', '10', undecided)])).toEqual(['unknown']);
		expect(paid()).toHaveLength(1);
	});
});

describe('approval', () => {
	const byNobody = { approvedBy: undefined };

	test('a row without a name is only checked, however many it needs', async () => {
		const items = [
			row('a', '1', byNobody),
			row('b', '2', { approvedBy: '' }),
			row('c', '3', { ...byNobody, approvalsNeeded: 2 }),
			row('d', '4'),
			row('e', 'x', byNobody),
		];
		expect(await paying(items)).toEqual(['dryRun', 'dryRun', 'dryRun', 'paid', 'notSent']);
		expect(paid()).toEqual(['4 NGN']);
		expect(await hints(PAY_LIST, { ...CONTINUED, items: items.slice(0, 3) })).toEqual([
			['info', expect.stringContaining('3 payments: 6 NGN')],
			['info', expect.stringMatching(/approvedBy/)],
		]);
	});

	test('Needs Approval off pays without a name', async () => {
		const options = { needsApproval: false };
		expect(await paying([row('a', '1', byNobody)], { options })).toEqual(['paid']);
		// A text without a name of somebody does not count, and two names are two.
		const items = [row('b', '2', { approvedBy: 'no' }), row('c', '3', { ...byNobody, approvalsNeeded: 2 })];
		expect(await paying(items, { options })).toEqual(['notSent', 'notSent']);
	});

	test.each(['', '={{ $json.none }}', '={{ "" }}', 'maybe'])(
		'Needs Approval that is %j pays nothing',
		async (needsApproval) => {
			expect(await paying([row('a'), row('b')], { options: { needsApproval } })).not.toContain('paid');
			expect(paid()).toEqual([]);
		},
	);

	test.each<[string, object]>([
		['two names', { approvedBy: 'Ada Obi, Ben Eze' }],
		['a third one', { approvedBy: 'Ada Obi, Ben Eze, Chi Ude' }],
	])('above Second Approval Above, %s are enough', async (_, more) => {
		const twoAbove = limits({ code: 'NGN', secondApprovalAbove: '100' });
		expect(await paying([row('a', '100.01', more)], twoAbove)).toEqual(['paid']);
		expect(await paying([row('b', '100.00')], twoAbove)).toEqual(['paid']);
	});

	test.each([
		'Ada Obi',
		'Ada Obi, ada obi',
		'Ada Obi, AdaObi',
		'Ada Obi, Ａda Obi',
		'Ada Obi; Ben Eze',
		'Ada\u200b Obi,Ada Obi',
	])('%j is one name', async (approvedBy) => {
		const twoAbove = limits({ code: 'NGN', secondApprovalAbove: '100' });
		const [large, wanted] = await pay(
			[row('a', '100.01', { approvedBy }), row('b', '1', { approvedBy, approvalsNeeded: '2' })],
			twoAbove,
		);
		for (const item of [large!, wanted!]) {
			expect(resultOf(item)).toBe('notSent');
			expect(messageOf(item)).toMatch(/needs 2 different people/);
		}
		expect(paid()).toEqual([]);
	});

	test.each([1, '1', '', null, undefined])('approvalsNeeded %j lowers nothing', async (approvalsNeeded) => {
		const twoAbove = limits({ code: 'NGN', secondApprovalAbove: '100' });
		expect(
			await paying([row('a', '101', { approvalsNeeded }), row('b', '1', { approvalsNeeded })], twoAbove),
		).toEqual(['notSent', 'paid']);
	});

	test.each([2, '2', 0, -1, 'two', true, [1, 2], 3])(
		'approvalsNeeded %j asks for more than one',
		async (approvalsNeeded) => {
			expect(await paying([row('a', '1', { approvalsNeeded })])).toEqual(['notSent']);
		},
	);
});

describe('limits', () => {
	test('by code and kind: of USDT in fiat and in coins', async () => {
		const both = limits(
			{ code: 'usdt', isCoin: true, maximumAmount: '5' },
			{ code: 'USDT', isCoin: false, maximumAmount: '7' },
		);
		const items = [
			coinRow('a', '5'),
			coinRow('b', '6'),
			row('c', '8', { currency: 'USDT' }),
			row('d', '1'),
			coinRow('e', '1', { coin: 'BTC' }),
		];
		const all = await pay(items, both);
		expect(all.map(resultOf)).toEqual(['paid', 'notSent', 'notSent', 'notSent', 'notSent']);
		expect(all.map(messageOf)).toEqual([
			undefined,
			"The amount 6 is above 'Maximum Amount' 5",
			"The amount 8 is above 'Maximum Amount' 7",
			"'Limits' has no entry for the currency NGN",
			"'Limits' has no entry for the coin BTC",
		]);
	});

	test('Allowed Aliases', async () => {
		const to = limits({ code: 'NGN', allowedAliases: 'Supplier-Main, "a, b"' });
		expect(await paying([row('a'), row('b', '1', { destination: 'supplier-usd' })], to)).toEqual([
			'paid',
			'notSent',
		]);
	});

	test('of the number of the day, and of what is alike under another key', async () => {
		const options = { maximumPerDay: '2', duplicateCheck: '7' };
		const items = [row('a', '1'), row('b', '1'), row('c', '1', { again: true }), row('d', '4')];
		expect(await paying(items, { options })).toEqual(['paid', 'notSent', 'paid', 'notSent']);
		expect(paid()).toEqual(['1 NGN', '1 NGN']);
	});

	describe('Maximum Total', () => {
		const total = limits(
			{ code: 'NGN', maximumTotal: '10' },
			{ code: 'USDT', isCoin: true, maximumTotal: '5' },
			{ code: 'USD' },
		);
		const items = [
			row('a', '6'),
			coinRow('b', '4'),
			row('c', '4.01'),
			row('d', '1'),
			coinRow('e', '1'),
			row('f', '9', { currency: 'USD', destination: 'supplier-usd' }),
			coinRow('g', '0.1'),
		];

		test('stops at the first row above it, and holds the later ones of that code', async () => {
			const all = await pay(items, total);
			expect(all.map(resultOf)).toEqual(['paid', 'paid', 'notSent', 'notSent', 'paid', 'paid', 'notSent']);
			expect(messageOf(all[2]!)).toBe("The total 10.01 NGN of this execution is above 'Maximum Total' 10");
			expect(messageOf(all[3]!)).toBe(
				"Not sent because a row before this one was above 'Maximum Total' of NGN",
			);
			// What was paid before is said, also behind that row. The next execution begins at zero.
			expect(await paying([row('h', '5'), row('a', '6'), row('i', '5.5'), row('a', '6')], total)).toEqual([
				'paid',
				'alreadyPaid',
				'notSent',
				'alreadyPaid',
			]);
		});

		test('counts what may have been paid, and not what was refused', async () => {
			await fault({ status: 422 }, 1);
			await fault({ dropAfter: true }, 1);
			const rows = [row('a', '9'), row('b', '6'), row('c', '4'), row('d', '0.01')];
			expect(await paying(rows, total)).toEqual(['rejected', 'unknown', 'paid', 'notSent']);
		});

		test('a dry run says the same, and a key that comes twice counts once', async () => {
			const options = { dryRun: true };
			expect(await paying(items, { ...total, options })).toEqual([
				'dryRun',
				'dryRun',
				'notSent',
				'notSent',
				'dryRun',
				'dryRun',
				'notSent',
			]);
			const twice = [row('a', '6'), row('a', '6'), row('b', '4')];
			expect(await paying(twice, { ...total, options })).toEqual(['dryRun', 'dryRun', 'dryRun']);
			expect(asked()).toBe(0);
		});

		test('a retry counts what the execution before has paid', async () => {
			await fault({ status: 422 }, 1, CRYPTO_ROUTE);
			const rows = [row('a', '6'), coinRow('b', '5'), row('c', '4'), row('d', '0.01')];
			const failed = await run({ ...PAY_LIST, ...total }, { items: rows });
			expect(failed.error?.message).toMatch(/\[item 2 of 4\]$/);
			const again = await failed.retry({ ...CONTINUED });
			expect(again.items.flat().map(resultOf)).toEqual(['paid', 'paid', 'paid', 'notSent']);
			expect(paid()).toEqual(['6 NGN', '4 NGN', '5 USDT']);
		});

		test('a retry of an execution that a crash has ended counts what its keys say', async () => {
			await fault({ dropAfter: true }, 1);
			// Of a crash, n8n keeps nothing that the node has done.
			expect(await paying([row('a', '6'), row('b', '3')], total)).toEqual(['unknown', 'paid']);
			restart();
			const rows = [row('a', '6'), row('b', '3'), row('c', '1.01'), row('d', '0.5')];
			const settings = { items: rows, mode: 'retry', ...CONTINUED } as const;
			const first = await run({ ...PAY_LIST, ...total }, settings);
			const second = await first.retry({ ...CONTINUED });
			for (const { items: results } of [first, second])
				expect(results.flat().map(resultOf)).toEqual(['unknown', 'alreadyPaid', 'notSent', 'notSent']);
			expect(paid()).toEqual(['6 NGN', '3 NGN']);
		});

		test('a retry counts what a person has found to be paid since', async () => {
			await fault({ dropAfter: true }, 1);
			const rows = [row('a', '6'), row('b', '4.01')];
			const failed = await run({ ...PAY_LIST, ...total }, { items: rows });
			ageKeys();
			expect(await paying([row('a', '6', { decision: 'wasPaid' })])).toEqual(['alreadyPaid']);
			const again = await failed.retry({ ...CONTINUED });
			expect(again.items.flat().map(resultOf)).toEqual(['alreadyPaid', 'notSent']);
			const third = await again.retry({ ...CONTINUED });
			expect(third.items.flat().map(resultOf)).toEqual(['alreadyPaid', 'notSent']);
			expect(paid()).toEqual(['6 NGN']);
		});
	});

	const good = {
		code: 'NGN',
		isCoin: false,
		maximumAmount: '',
		maximumTotal: '',
		secondApprovalAbove: '',
		allowedAliases: '',
	};
	test.each<[string, unknown, RegExp]>([
		['an expression in place of the list', '={{ $json.limits }}', /^'Limits' is no list of entries/],
		['one in place of the entries', { limit: '={{ $json.limits }}' }, /^'Limits' is no list of entries/],
		['one in place of an entry', { limit: ['={{ $json.limits }}'] }, /^'Limits' is no list of entries/],
		['a list without entries', { limit: [] }, /^'Limits' is no list of entries/],
		[
			'the maximum amount by expression',
			{ limit: [{ ...good, maximumAmount: '={{ 9999 }}' }] },
			/^'Maximum Amount' under 'Limits' is an expression/,
		],
		[
			'the maximum total by expression',
			{ limit: [{ ...good, maximumTotal: '={{ $json.most }}' }] },
			/^'Maximum Total' under 'Limits' is an expression/,
		],
		[
			'the second approval by expression',
			{ limit: [{ ...good, secondApprovalAbove: '=9999' }] },
			/^'Second Approval Above' under 'Limits' is an expression/,
		],
		[
			'an entry without a code',
			{ limit: [good, { ...good, code: '' }] },
			/^'Currency or Coin' under 'Limits' is empty/,
		],
		[
			'a code whose expression gives nothing',
			{ limit: [{ ...good, code: '={{ $json.none }}' }] },
			/^'Currency or Coin' under 'Limits' is empty/,
		],
		[
			'aliases whose expression gives nothing',
			{ limit: [{ ...good, allowedAliases: '={{ $json.none }}' }] },
			/^'Allowed Aliases' under 'Limits' is empty/,
		],
		[
			'a maximum that is no number',
			{ limit: [{ ...good, maximumAmount: '1,000' }] },
			/^'Maximum Amount' is not a decimal number/,
		],
		['a code twice', { limit: [good, { ...good, code: 'ngn' }] }, /^'Limits' has the currency NGN twice/],
		[
			'a coin twice',
			{ limit: [good, { code: 'USDT', isCoin: true }, { code: 'USDT', isCoin: true }] },
			/^'Limits' has the coin USDT twice/,
		],
		['a small unit', { limit: [{ ...good, code: 'NGn' }] }, /NGn is a small unit/],
	])('%s refuse every row', async (_, wrong, message) => {
		const items = [row('a', '1', { limits: { limit: [good] } }), row('b', '2'), coinRow('c')];
		const all = await pay(items, { limits: wrong });
		expect(all.map(resultOf)).toEqual(['notSent', 'notSent', 'notSent']);
		for (const item of all) expect(messageOf(item)).toMatch(message);
		const { error } = await run({ ...PAY_LIST, limits: wrong } as never, { items });
		expect(error?.message).toMatch(message);
		expect(asked()).toBe(0);
	});

	test.each<[string, unknown]>([
		...[
			'maximumPerDay',
			'duplicateCheck',
			'refusedCodes',
			'amountFormat',
			'amountField',
			'coinField',
			'destinationField',
			'idField',
			'dryRun',
			'needsApproval',
			'showRequest',
		].flatMap(
			(name): Array<[string, unknown]> => [
				[name, ''],
				[name, '={{ $json.none }}'],
			],
		),
	])('the option %s that is %j refuses every row', async (name, value) => {
		expect(await paying([row('a'), coinRow('b')], { options: { [name]: value } })).toEqual([
			'notSent',
			'notSent',
		]);
		expect(asked()).toBe(0);
	});

	test('options that are one expression refuse every row', async () => {
		expect(await paying([row('a')], { options: '={{ ({}) }}' })).toEqual(['notSent']);
	});

	test('the form gives each field of an entry empty, which is no limit', async () => {
		expect(await paying([row('a', '1')], limits(good))).toEqual(['paid']);
	});
});

describe('dry run', () => {
	test('it shows the requests of both kinds, sends nothing, and says what the keys know', async () => {
		await pay([row('a')]);
		const options = { dryRun: true, showRequest: true };
		const items = await pay(
			[row('a'), row('b', '2'), coinRow('c'), row('d', '3', { approvedBy: undefined })],
			{
				options,
			},
		);
		expect(items.map(({ json }) => [json.result, json.dryRun])).toEqual([
			['alreadyPaid', true],
			['dryRun', true],
			['dryRun', true],
			['dryRun', true],
		]);
		expect(items[2]!.json.request).toMatchObject({
			method: 'POST',
			url: expect.stringMatching(/\/v1\/crypto_payout$/),
		});
		expect(paid()).toEqual(['10 NGN']);
	});
});

describe('the execution', () => {
	test('a stopped list is paid to its end by Retry, and nothing twice', async () => {
		await fault({ status: 422 }, 1, CRYPTO_ROUTE);
		const items = [row('a', '1'), coinRow('b', '2'), row('c', '3')];
		const failed = await run(PAY_LIST, { items });
		expect(failed.error?.message).toMatch(/\[item 2 of 3\]$/);
		const again = await failed.retry();
		expect(again.items.flat().map(({ json }) => [json.result, json.approvedBy])).toEqual(
			Array(3).fill(['paid', 'Ada Obi']),
		);
		expect(paid()).toEqual(['1 NGN', '3 NGN', '2 USDT']);
	});

	test('settings that are wrong in a retry refuse the rest, and say what was paid', async () => {
		await fault({ status: 422 }, 1, CRYPTO_ROUTE);
		const failed = await run(PAY_LIST, { items: [row('a', '1'), coinRow('b', '2')] });
		const wrong = { ...PAY_LIST, options: { maximumPerDay: '' } };
		const { error } = await failed.retry({ parameters: wrong });
		expect(error?.message).toBe("1 of 2 already paid. 'Maximum Payments per Day' is empty");
		expect(error?.description).toMatch(/^Already paid: item 1: 1 NGN to supplier-main, key a, /);
		expect(error?.description).toMatch(/This try has sent nothing\./);
		expect(error?.description).not.toMatch(/No money was moved/);
		const again = await failed.retry({ parameters: wrong, ...CONTINUED });
		expect(again.items.flat().map(resultOf)).toEqual(['paid', 'notSent']);
	});

	test('Retry On Fail pays what is left', async () => {
		await fault({ status: 422 }, 1);
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { items } = await run(PAY_LIST, { items: [row('a', '1'), coinRow('b', '2')], settings });
		expect(items.flat().map(resultOf)).toEqual(['paid', 'paid']);
		expect(paid()).toEqual(['2 USDT', '1 NGN']);
	});
});

test('the settings are read once, and no expression of n8n is evaluated for a row', async () => {
	const asks = jest.spyOn(ExecuteContext.prototype as never, '_getNodeParameter' as never);
	const countFor = async (count: number) => {
		asks.mockClear();
		const rows = Array.from({ length: count }, (_, index) => row(`${count}-${index}`));
		expect(await paying(rows, { options: { dryRun: true } })).toEqual(Array(count).fill('dryRun'));
		return asks.mock.calls.length;
	};
	const few = await countFor(2);
	expect(few).toBeGreaterThan(0);
	expect(await countFor(40)).toBe(few);
	asks.mockRestore();
});

describe('as a tool of a model', () => {
	const bounded = { code: 'NGN', maximumAmount: '100', allowedAliases: 'supplier-main' };
	const listOf = (...rows: object[]) => JSON.stringify(rows);
	const modelRow = { paymentKey: 'INV-1', amount: '10', currency: 'NGN', destination: 'supplier-main' };
	const call = async (rows: unknown, parameters: object = {}) => {
		const given = {
			...limits(bounded),
			options: { needsApproval: false },
			toolRows: "={{ $fromAI('rows') }}",
		};
		const { items } = await run({ ...PAY_LIST, ...given, ...parameters } as never, {
			type: 'walletServiceTool',
			items: [{ json: { rows: rows as string } }],
		});
		return items.flat().map(({ json }) => json);
	};

	test('it pays the rows of the model within its limits, and says how each ended', async () => {
		const second = { ...modelRow, paymentKey: 'INV-2', amount: 12.5 };
		const items = await call(
			listOf(modelRow, second, { ...modelRow, paymentKey: 'INV-3', amount: '100.01' }),
		);
		expect(items).toMatchObject([
			{ result: 'paid', paymentKey: 'INV-1', message: expect.any(String), whatToDo: expect.any(String) },
			{ result: 'paid', paymentKey: 'INV-2', amount: '12.5' },
			{ result: 'notSent', paymentKey: 'INV-3', message: expect.stringContaining("'Maximum Amount'") },
		]);
		expect(paid()).toEqual(['10 NGN', '12.5 NGN']);
	});

	test('rows may come as a list, too', async () => {
		expect(await call([modelRow])).toMatchObject([{ result: 'paid' }]);
	});

	test('another argument of the model is refused', async () => {
		const parameters = { ...PAY_LIST, ...limits(bounded), toolRows: "={{ $fromAI('rows') }}" };
		const { items } = await run(parameters, {
			type: 'walletServiceTool',
			items: [{ json: { rows: listOf(modelRow), limits: {} } }],
		});
		expect(items.flat()).toMatchObject([
			{ json: { result: 'notSent', message: expect.stringContaining('limits') } },
		]);
	});

	test('with Needs Approval it only checks', async () => {
		expect(await call(listOf(modelRow), { options: {} })).toMatchObject([{ result: 'dryRun' }]);
		expect(paid()).toEqual([]);
	});

	test.each([
		{ approvedBy: 'Ada Obi' },
		{ approvalsNeeded: 1 },
		{ decision: 'wasNotPaid' },
		{ again: true },
		{ again: 'no' },
		{ approvedBy: ['Ada'] },
		{ decision: 'doNotPay' },
		{ approvalsNeeded: 0 },
	])('a row with %j is refused, with and without Needs Approval', async (said) => {
		for (const options of [{}, { needsApproval: false }]) {
			const [item, other] = await call(listOf({ ...modelRow, ...said }, { ...modelRow, paymentKey: 'b' }), {
				options,
			});
			expect(item).toMatchObject({
				result: 'notSent',
				message: expect.stringContaining(Object.keys(said)[0]!),
			});
			expect(other!.result).not.toBe('notSent');
		}
		expect(paid()).not.toContain('20 NGN');
	});

	test('what Read gives of a row is no word of a person', async () => {
		expect(await call(listOf({ ...modelRow, again: false, approvedBy: '', problems: [] }))).toMatchObject([
			{ result: 'paid' },
		]);
	});

	test.each<[string, object]>([
		['no limits', { limits: {} }],
		['an entry without Maximum Amount', limits({ ...bounded, maximumAmount: '' })],
		['an entry without Allowed Aliases', limits(bounded, { code: 'USD', maximumAmount: '1' })],
		['an alias from the model', limits({ ...bounded, allowedAliases: "={{ $fromAI('alias') }}" })],
		['an alias by expression', limits({ ...bounded, allowedAliases: '={{ $json.alias }}' })],
		['an option by expression', { options: { needsApproval: '={{ $json.needed }}' } }],
		['limits by expression', { limits: "={{ $fromAI('limits') }}" }],
	])('with %s nothing is paid', async (_, parameters) => {
		expect(await call(listOf(modelRow), parameters)).toMatchObject([{ result: 'notSent' }]);
		expect(asked()).toBe(0);
	});

	test('rows with a name twice are refused: another reader may take the other value', async () => {
		const rows = listOf(modelRow).replace('"amount"', '"amount":"1","amount"');
		expect(await call(rows)).toMatchObject([
			{ result: 'notSent', message: expect.stringContaining("'Rows' has a name twice") },
		]);
		expect(asked()).toBe(0);
	});

	test.each(['', '[]', '{}', 'INV-1', '[1]', undefined, '[{"a":1},'])(
		'rows that are %j are refused',
		async (rows) => {
			expect(await call(rows)).toMatchObject([
				{ result: 'notSent', message: expect.stringContaining("'Rows'") },
			]);
		},
	);
});

test('a dry run holds the second of two rows that are alike, as paying them would', async () => {
	const rows = [
		row('a', '3'),
		row('b', '3.00'),
		row('a', '3'),
		row('c', '4'),
		row('d', '3', { again: true }),
	];
	const options = { duplicateCheck: '7' };
	expect(await paying(rows, { options: { ...options, dryRun: true } })).toEqual([
		'dryRun',
		'notSent',
		'dryRun',
		'dryRun',
		'dryRun',
	]);
	expect(await paying(rows, { options })).toEqual(['paid', 'notSent', 'alreadyPaid', 'paid', 'paid']);
});

test('Execute Once leaves no row out without a word: none is paid', async () => {
	const settings = { ...CONTINUED.settings, executeOnce: true };
	const [first, ...others] = await pay([row('A-1'), row('A-2', '11')], {}, { settings });
	expect([resultOf(first!), messageOf(first!), others, paid()]).toEqual([
		'notSent',
		"'Execute Once' is on, so the node has got 1 of 2 items, and the others would be left out",
		[],
		[],
	]);
	expect(await paying([row('A-1')], {}, { settings })).toEqual(['paid']);
});

test('the editor offers the fields of a row and of its result', () => {
	const file = 'dist/nodes/WalletService/__schema__/v1.0.0/payoutList/pay.json';
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	const text = { type: 'string' };
	expect(properties).toMatchObject({
		result: text,
		paymentKey: text,
		amount: text,
		currency: text,
		coin: text,
		destination: text,
		accountAlias: text,
		walletAlias: text,
		payoutId: text,
		status: text,
		approvedBy: text,
		note: text,
		dryRun: { type: 'boolean' },
		again: { type: 'boolean' },
		row: { type: 'number' },
		problems: { type: 'array' },
	});
});
