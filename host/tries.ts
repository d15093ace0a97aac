/**
 * What to try in the first hour, in its order. README.md and the notes on the canvases name the same (firstHour.test.ts). A table: no
 * logic. Quotation marks stand around what a person reads on the screen.
 */
export interface Try {
	name: string;
	/** The example that it runs, by its file name without `.json`. */
	example: string;
	/** Where it begins. */
	opens: 'canvas' | 'form' | 'sandbox';
	steps: string;
}

export const TRIES: readonly Try[] = [
	{
		name: 'Pay out',
		example: 'payouts-from-list',
		opens: 'canvas',
		steps: `Click "Execute workflow", then open "Pay once": three payouts are "paid".
Click again: they are "alreadyPaid", and nothing is sent.`,
	},
	{
		name: 'Receive a deposit',
		example: 'deposit-arrives',
		opens: 'sandbox',
		steps: `Click "Deposit arrives". Ten seconds later, the mailbox has one mail: "Credited".`,
	},
	{
		name: 'Pay a file',
		example: 'payouts-from-file',
		opens: 'form',
		steps: `Copy the example there into a file, enter keys of your own, and upload it. The
mailbox has the mail to the approver: open its link, enter the name "first" and its password
(above), and choose "Yes, pay them".`,
	},
];
