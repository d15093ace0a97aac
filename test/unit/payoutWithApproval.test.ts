/** What the example payout-with-approval takes as a payment key, what the approver reads, and which answers count. */
import { run as askedAbout } from '../../examples/code/payout-with-approval.question.js';
import { fieldOf, parametersOf, valueOf } from './exampleNodes.ts';
import { outputOf } from './outputOf.ts';

/** The field `problem`, for a request with this key. */
function problemOf(paymentKey: unknown, { count = 1, dryRun = true as unknown } = {}): string {
	const $ = () => ({ params: { workflowInputs: { value: { dryRun } } } });
	const context = { $, $json: { paymentKey }, $input: { all: () => Array(count).fill({}) } };
	return fieldOf('payout-with-approval', 'Wanted', 'problem', context) as string;
}

test.each([
	...['INV-1042', 'INV/2026/11-7', 'Rent, November 2026', 'A.1042', 'acme.invoice-7', 7, 'x'.repeat(64)],
	...['Smith & Sons: 12', 'v1.20', 'INV-7.5', '2026.11.25'],
])('%p can be approved', (key) => expect(problemOf(key)).toBe(''));

test.each([
	...['https://pay.example/yes', 'HTTP://X', 'see //cfo', 'www.example', 'cfo.example.com', 'x EVIL.COM/ok'],
	...['mail cfo@example.com now', 'a.io:8080', 'go.to?x', 'INV-7.pdf'],
])('%p is refused, because the approver could click on it', (key) =>
	expect(problemOf(key)).toMatch(/^The payment key looks like an address/),
);

test.each(['Pay once', 'Ask the second'])(
	'%s gets the payment that the approver has read, whatever the answer has',
	(node) => {
		const asked = { paymentKey: 'INV-1', amount: '5', currency: '', coin: 'USDT', destination: 'treasury' };
		const nodes: Record<string, object> = {
			'When called': outputOf({ ...asked, second: 'second@example.com', sameAs: '' }),
			Question: outputOf({ people: 'approver@example.com' }),
		};
		const other = { amount: '6', currency: 'NGN', coin: '', destination: 'x' };
		const { value } = parametersOf('payout-with-approval', node).workflowInputs;
		const context = { $: (name: string) => nodes[name], $json: { ...asked, ...other } };
		const given = Object.keys(asked).map((name) => [name, valueOf(value[name]!, context)]);
		expect(Object.fromEntries(given)).toEqual(asked);
	},
);

test('nobody is asked for a list, or by a workflow whose check would pay', () => {
	expect(problemOf('INV-1', { count: 2 })).toBe('Ask for one payment at a time.');
	for (const dryRun of [false, null, 'true', '={{ true }}'])
		expect(problemOf('INV-1', { dryRun })).toMatch(/Its owner must turn dryRun on in the node Check\.$/);
});

const LIMIT = 'Do not change the payment to get around this limit. Tell the user.';
const NUMBER = 'Ask the user for the number of the invoice. Never make one up.';

test.each([
	["above 'Maximum Amount' 500000.", LIMIT],
	["A part is missing in 'Payment Key'.", NUMBER],
	[problemOf('https://pay.example/yes'), NUMBER],
	[problemOf('x'.repeat(65)), NUMBER],
])('nobody was asked because “%s”: the model reads what to do', (message, whatToDo) => {
	const said = { result: 'notSent', message: `${message} Nobody was asked.`, whatToDo };
	const { jsonOutput } = parametersOf('payout-with-approval', 'Not asked');
	expect(valueOf(jsonOutput, { $json: { message } })).toEqual(said);
	expect(valueOf(jsonOutput, { $json: { problem: message, message: 'other' } })).toEqual(said);
});

describe.each([
	['payout-with-approval', 'What was said?', 'No, or nobody', 'No, or nobody'],
	['payouts-file-2-pay', 'Answer', 'No', 'No answer'],
])('the page of %s', (file, node, no, nobody) => {
	test.each<[Decision: unknown, output: string]>([
		['Yes, pay', 'Yes'],
		['No', no],
		[undefined, nobody],
		[['Yes, pay', 'No'], 'Not readable'],
		[['Yes, pay'], 'Not readable'],
		...['yes, pay', 'Yes, pay ', '', null, true].map((text): [unknown, string] => [text, 'Not readable']),
	])('the answer %j is: %s', (Decision, output) => {
		const { rules } = parametersOf(file, node);
		const isTrue = ({ leftValue }: { leftValue: string }) =>
			valueOf(leftValue, { $json: { Decision } }) === true;
		const chosen = rules.values.filter(({ conditions }) => conditions.conditions.every(isTrue));
		expect(chosen.map(({ outputKey }) => outputKey)).toEqual([output]);
	});
});

test('the page of the one who asks has no tag of theirs', () => {
	const { completionMessage } = parametersOf('payout-with-approval', 'Page');
	const message = "'<img src=x>' & more";
	expect(valueOf(completionMessage, { $json: { message } })).toBe("'&lt;img src=x&gt;' &amp; more");
});

describe('the question', () => {
	const question = (more: object, paid: object[] = []) => {
		const wanted = { paymentKey: 'REQ-1', amount: '40', currency: 'NGN', destination: 'supplier-main' };
		const nodes: Record<string, object> = {
			'When called': outputOf({ ...wanted, approver: 'first@example.com', ...more }),
			'Paid today': outputOf(...paid),
		};
		const n8n = { $: (name: string) => nodes[name], $now: { toFormat: () => 'now' } };
		return askedAbout(n8n as never)[0]!.json as Record<'text' | 'page', string>;
	};

	test('it has no tag, link or line break of the one who asks', () => {
		const by = 'Ada</p><a href="https://example.com/yes">\nPay: 1 NGN';
		const { text, page } = question({ paymentKey: 'REQ <b>«40»</b>\u00a0\n“& more”\u202e', askedBy: by });
		expect(text.split('\n')).toEqual([
			'Pay: 40 NGN to supplier-main',
			'Asked on: now',
			'Paid on that day before: nothing',
			'Nobody has checked these words. They come from the one who asks:',
			'- Payment key: “REQ <b>"40"</b> "& more"”',
			'- Asked by: “Ada p a href https example com yes Pay 1 NGN”',
		]);
		expect(page).toContain('Payment key: “REQ &#60;b&#62;"40"&#60;/b&#62; "&#38; more"”');
	});

	test('it has what was paid that day, with every digit, and a second row of a key once', () => {
		const row = (amount: string, asset = 'NGN') => ({
			...{ key: `DAY-${amount}`, kind: asset === 'NGN' ? 'fiat payout' : 'coin payout', asset },
			...{ amount: `-${amount}`, counterpart: 'supplier-main', result: 'paid' },
		});
		const paid = [row('900000000000000000.1'), row('0.25'), row('1.5', 'USDT'), row('0.25')];
		expect(question({}, paid).text).toContain(
			'\nPaid on that day before: 3 payments, 900,000,000,000,000,000.35 NGN, 1.5 USDT\n',
		);
	});

	test('the same payment under another key stands second', () => {
		const { text } = question({ sameAs: 'REQ-0 (paid on 2026-11-25)' });
		expect(text.split('\n')[1]).toBe(
			'THE SAME PAYMENT has another key: “REQ-0 (paid on 2026-11-25)”. A yes pays it a second time.',
		);
	});
});
