/** Duplicate Check: the same payment under another key is held, in any process, until the item says that it is meant. */
import { ageKeys, records, timing } from '../memoryProcessedItems.ts';
import {
	BY_KEY,
	CRYPTO,
	cryptoPayout,
	keyed,
	PAYOUT,
	payout,
	resultOf,
	startProcess,
	withNode,
} from '../withNode.ts';

const { answered, resultsOf, payByKey, refusalOf, fault, accepted, asked, restart, credentials } = withNode();

const HOLD = { duplicateCheck: '7' };
const MEANT = { ...HOLD, allowDuplicate: '={{ $json.meant === "yes" }}' };
const resultsByKey = async (...items: Array<ReturnType<typeof keyed>>) =>
	await resultsOf({ ...BY_KEY, options: HOLD }, { items });

test('another key, or none, is held, and the message says what to do', async () => {
	const [first, second, third] = await payByKey([keyed('a'), keyed('b'), keyed('c', '11')], HOLD);
	expect([first, second, third].map((item) => item!.json.result)).toEqual(['paid', 'notSent', 'paid']);
	expect(second!.json).toMatchObject({
		paymentKey: 'b',
		error: {
			message:
				"Not sent because a payment within the last 7 days had the same amount, currency and destination ('Duplicate Check')",
			description:
				"Look that payment up: it may be this one under another key. If both are meant, add the option 'Allow Duplicate' for this item and turn it on.",
		},
	});
	restart();
	expect(await resultsOf({ ...PAYOUT, options: HOLD }, { items: [payout('10.0'), payout('10')] })).toEqual([
		'notSent',
		'notSent',
	]);
	expect(accepted()).toEqual(['10', '11']);
});

test.each([' supplier-main', 'Supplier-Main', 'supplier\u200b-main', 'ｓupplier-main', 'supplier\u2011main'])(
	'a destination that looks the same is the same: %j',
	async (alias) => {
		const items = [keyed('a'), payout('10', { key: 'b', alias })];
		const parameters = { ...BY_KEY, options: HOLD };
		const made = await answered(parameters, { body: '{"payout_id":"po_1"}' }, { items });
		expect(made.map(resultOf)).toEqual(['paid', 'notSent']);
	},
);

test('a currency has no case', async () => {
	const items = [keyed('a'), payout('10', { key: 'b', currency: 'ngn' })];
	const parameters = { ...BY_KEY, currency: "={{ $json.currency || 'NGN' }}", options: HOLD };
	expect(await resultsOf(parameters, { items })).toEqual(['paid', 'notSent']);
});

test('without keys, each item is another payment', async () => {
	const items = [payout('1'), payout('1'), payout('2')];
	expect(await resultsOf({ ...PAYOUT, options: HOLD }, { items })).toEqual(['paid', 'notSent', 'paid']);
	expect(await resultsOf(PAYOUT, { items })).toEqual(['paid', 'paid', 'paid']);
});

test('the same key is alreadyPaid, and free again after a refusal', async () => {
	await fault({ status: 422 });
	expect(await resultsByKey(keyed('a'))).toEqual(['rejected']);
	expect(await resultsByKey(keyed('a'), keyed('a'), keyed('b'))).toEqual(['paid', 'alreadyPaid', 'notSent']);
	expect(accepted()).toEqual(['10']);
});

test('what may have been paid holds another key', async () => {
	await fault({ dropAfter: true });
	expect(await resultsByKey(keyed('a'), keyed('b'))).toEqual(['unknown', 'notSent']);
	expect(await resultsByKey(keyed('a'), keyed('b'))).toEqual(['unknown', 'notSent']);
});

test('a key that a person settles as not paid passes, and holds others still', async () => {
	await fault({ dropBefore: true });
	expect(await resultsByKey(keyed('a'))).toEqual(['unknown']);
	ageKeys();
	const decided = { ...HOLD, ifOutcomeIsUnknown: 'wasNotPaid' };
	expect((await payByKey([keyed('b'), keyed('a')], decided)).map(({ json }) => json.result)).toEqual([
		'notSent',
		'paid',
	]);
	expect(accepted()).toEqual(['10']);
});

test('a limit that holds the payment back gives its right back', async () => {
	const options = { ...HOLD, maximumPerDay: '0' };
	expect(await resultsOf({ ...BY_KEY, options }, { items: [keyed('a')] })).toEqual(['notSent']);
	expect(await resultsByKey(keyed('b'))).toEqual(['paid']);
});

test('an item that is meant is paid, and others are not', async () => {
	const items = [
		payout('5', { key: 'a' }),
		payout('5', { key: 'b', meant: 'yes' }),
		payout('5', { key: 'c' }),
	];
	const parameters = { ...BY_KEY, options: MEANT };
	expect(await resultsOf(parameters, { items })).toEqual(['paid', 'paid', 'notSent']);
	expect(await resultsOf(parameters, { items })).toEqual(['alreadyPaid', 'alreadyPaid', 'notSent']);
});

test('two processes with two keys within the request of a slow service: one is held', async () => {
	const processes = [await startProcess(), await startProcess()];
	await fault({ delayMs: 300 }, 2);
	const runs = processes.map(
		async (n8n, index) =>
			await n8n.runNode({
				parameters: { ...BY_KEY, options: HOLD } as never,
				credentials,
				credentialId: 'credential-id',
				workflowId: 'two processes',
				items: [keyed(`key ${index}`)],
				settings: { onError: 'continueRegularOutput' },
			}),
	);
	const results = (await Promise.all(runs)).map(({ items }) => items[0]![0]!.json.result);
	expect(results.toSorted()).toEqual(['notSent', 'paid']);
	expect(accepted()).toEqual(['10']);
});

test('another account, operation or currency is another payment', async () => {
	expect(await resultsByKey(keyed('a'))).toEqual(['paid']);
	const elsewhere = { credentialId: 'another', items: [keyed('b')] };
	expect(await resultsOf({ ...BY_KEY, options: HOLD }, elsewhere)).toEqual(['paid']);
	const options = HOLD;
	expect(await resultsOf({ ...CRYPTO, options })).toEqual(['paid']);
	expect(await resultsOf({ ...CRYPTO, options })).toEqual(['notSent']);
});

describe('a dry run', () => {
	const dry = { ...HOLD, dryRun: true };

	test('says what would be held, and writes nothing', async () => {
		const before = await payByKey([keyed('b')], dry);
		expect(before.map(({ json }) => json.result)).toEqual(['dryRun']);
		expect(records.size).toBe(0);
		await resultsByKey(keyed('a'));
		const rows = structuredClone(records);
		const held = await payByKey([keyed('b'), keyed('c', '11')], dry);
		const real = await payByKey([keyed('b')], HOLD);
		expect(held.map(({ json }) => json.result)).toEqual(['notSent', 'dryRun']);
		expect(held[0]!.json.error).toEqual(real[0]!.json.error);
		expect(records).toEqual(rows);
	});

	test('of an item that is meant passes', async () => {
		await resultsByKey(keyed('a'));
		const items = await payByKey([keyed('b')], { ...dry, allowDuplicate: true });
		expect(items.map(({ json }) => json.result)).toEqual(['dryRun']);
	});
});

describe('nothing is sent', () => {
	test.each([
		['', "'Duplicate Check' is empty"],
		['0', "'Duplicate Check' is not a number of days from 1 to 90: 0"],
		['91', "'Duplicate Check' is not a number of days from 1 to 90: 91"],
		['1.5', "'Duplicate Check' is not a number of days from 1 to 90: 1.5"],
	])('for so many days: %j', async (duplicateCheck, message) => {
		const parameters = { ...PAYOUT, options: { duplicateCheck } };
		expect((await refusalOf(parameters, { items: [payout('1')] })).message).toBe(message);
	});

	test('without a destination that can be read', async () => {
		const parameters = { ...cryptoPayout('{"coin":"USDT","amount":"5","to":"treasury"}'), options: HOLD };
		expect((await refusalOf(parameters)).message).toBe(
			"'Duplicate Check' is set, but the request body has no readable 'wallet_alias'",
		);
	});

	test('while n8n cannot keep the rows', async () => {
		timing.fail = () => 'before';
		const { message } = await refusalOf({ ...PAYOUT, options: HOLD }, { items: [payout('1')] });
		expect(message).toBe("n8n cannot keep a record for 'Duplicate Check': database is locked");
	});

	test('if the column that says whether an item is meant says something else', async () => {
		const options = { ...HOLD, allowDuplicate: '={{ $json.meant }}' };
		const { message } = await refusalOf({ ...PAYOUT, options }, { items: [payout('1', { meant: 'maybe' })] });
		expect(message).toBe("'Allow Duplicate' is not true or false: maybe");
		expect(asked()).toBe(0);
	});
});
