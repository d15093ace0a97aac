/** The code of the example payout by chat, as a function: what of the agent's steps goes into the book. */
import { run } from '../../examples/code/payout-by-chat.payments.js';
import { outputOf } from './outputOf.ts';

const rowsOf = (...observations: unknown[]) => {
	const intermediateSteps = observations.map((observation) => ({ observation: JSON.stringify(observation) }));
	const $input = outputOf({ output: 'Done.', intermediateSteps });
	return run({ $input } as unknown as N8n).map(({ json }) => json as unknown);
};

const answer = (result: string, more = {}) => [
	{
		...{ result, message: 'What happened.', whatToDo: 'What to do.', paymentKey: 'inv–7' },
		...{ amount: '1250.50', currency: 'NGN', accountAlias: 'supplier-main', ...more },
	},
];
const row = { key: 'INV-7', asset: 'NGN', amount: '-1250.50', counterpart: 'supplier-main' };

test('a payment that was made goes out of the book, with its ID', () => {
	expect(rowsOf(answer('paid', { payoutId: 'po_1', status: 'pending' }))).toEqual([
		{ ...row, reference: 'po_1', result: 'paid', status: 'pending', message: '', isEarlier: false },
	]);
});

test('a payment of an earlier message has no ID, and an unknown one says why', () => {
	const without = { ...row, reference: '', status: '', message: 'What happened.' };
	expect(rowsOf(answer('alreadyPaid'), answer('unknown', { paymentKey: 'INV-8' }))).toEqual([
		{ ...without, key: 'INV-8', result: 'unknown', isEarlier: false },
		{ ...without, result: 'paid', isEarlier: true },
	]);
});

test('an invoice for which the model calls again in one message is one row, with the answer that says most', () => {
	const [paid, earlier] = [
		answer('paid', { payoutId: 'po_1' }),
		answer('alreadyPaid', { paymentKey: 'INV-7' }),
	];
	const unknown = answer('unknown');
	for (const answers of [
		[paid, earlier],
		[unknown, earlier, paid],
	])
		expect(rowsOf(...answers)).toMatchObject([{ reference: 'po_1', isEarlier: false, result: 'paid' }]);
	expect(rowsOf(earlier, unknown)).toMatchObject([{ result: 'paid', isEarlier: true }]);
});

test('what moves no money is not in the book: refused payments, failed tools, balances and accounts', () => {
	expect(
		rowsOf(
			...[answer('notSent'), answer('rejected'), answer('dryRun'), '', { error: 'The tool failed' }],
			...[[{ currency: 'NGN', balance: '5000000.00' }], [{ alias: 'supplier-main', result: 'paid' }]],
		),
	).toEqual([]);
});
