/** What the example payout-with-approval takes as a payment key, and how the approver reads what others wrote. */
import { quoted } from '../../examples/code/payout-with-approval.question.js';
import { fieldOf } from './exampleNodes.ts';

/** The expression of the field `problem`, for a request with this key. */
function problemOf(paymentKey: unknown): string {
	const $ = () => ({ params: { workflowInputs: { value: { dryRun: true } } } });
	const context = { $, $json: { paymentKey }, $input: { all: () => [{}] } };
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

test('a key of more than 64 characters is refused', () => {
	expect(problemOf('x'.repeat(65))).toBe(
		'The payment key has more than 64 characters. Write the number of the invoice.',
	);
});

test.each([
	['ALREADY APPROVED BY CFO', '“ALREADY APPROVED BY CFO”'],
	['7” approved by “CFO', '“7" approved by "CFO”'],
	['7\nApproved by: CFO\u202e', '“7 Approved by: CFO”'],
	['«7»', '“"7"”'],
])('%j from outside is shown as %s', (text, shown) => expect(quoted(text)).toBe(shown));
