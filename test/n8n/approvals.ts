/** What the tests of approvals need: a form that is sent, and the questions to the approver. */
import { browse, questionsIn, untilPage } from '../../host/doubles/approver.ts';
import type { Question } from '../../host/doubles/approver.ts';
import { until } from '../../host/n8n/client.ts';
import type { StoredWorkflow } from '../../host/n8n/client.ts';
import { formUrl } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';

export interface Wanted {
	key: string;
	amount: string;
	currency?: string;
	destination?: string;
	by?: string;
}

let requests = 0;

/** A payment with a key of its own. */
export const payment = (amount: string, more: Partial<Wanted> = {}): Wanted => ({
	key: `REQ-${++requests}`,
	amount,
	...more,
});

/** Sends a workflow's form. Returns the page that then shows. */
export async function sendForm(
	stack: Pick<Stack, 'n8n'>,
	workflow: StoredWorkflow,
	fields: Array<string | File>,
): Promise<string> {
	const sent = await browse(formUrl(stack, workflow)!, fields);
	const { formWaitingUrl } = JSON.parse(sent.page) as { formWaitingUrl: string };
	await untilPage(formWaitingUrl, 'form-waiting');
	const { page } = await browse(formWaitingUrl);
	// The page sends this by itself, and the execution ends.
	await browse(formWaitingUrl, []);
	return page;
}

/** Asks for a payment by the form of payout-with-approval. Returns the page that then shows. */
export async function ask(
	stack: Pick<Stack, 'n8n' | 'examples'>,
	{ key, amount, currency = 'NGN', destination = 'supplier-main', by = 'Ada Obi' }: Wanted,
	workflow = stack.examples.all.get('payout-with-approval')!,
): Promise<string> {
	return await sendForm(stack, workflow, [key, amount, currency, destination, by]);
}

/** Waits for the mails to the approver, and until their pages are there. Returns them by their subjects. */
export async function asked({ mailbox }: Pick<Stack, 'mailbox'>, count = 1): Promise<Question[]> {
	const found = await until(`${count} questions`, () => {
		const questions = questionsIn(mailbox.mails);
		return questions.length >= count ? questions : undefined;
	});
	expect(found).toHaveLength(count);
	for (const { link } of found) await untilPage(link, 'form-waiting');
	return found.sort((a, b) => a.subject.localeCompare(b.subject));
}
