/** What people do with the examples that ask: fill in their forms, read their mails, and answer on their pages. */
import type { Mail } from '../doubles/mailbox.ts';
import type { Json, StoredWorkflow } from '../n8n/client.ts';
import { formUrl } from '../stack.ts';
import type { Stack } from '../stack.ts';
import { until } from '../until.ts';
import type { Payment } from './payments.ts';
import { calls, publishCopy, textFields, withParameters } from './workflows.ts';

export const YES = 'Yes, pay';

export interface Question {
	subject: string;
	/** The lines before the link. */
	lines: string[];
	link: string;
}

/** The mails to the approver, oldest first. */
export function questionsIn(mails: readonly Mail[]): Question[] {
	return mails
		.filter(({ subject }) => subject.startsWith('Approve '))
		.map(({ subject, text }) => ({
			subject,
			lines: text.split('\n\n')[0]!.split('\n'),
			link: /no here: (\S+)/.exec(text)![1]!,
		}));
}

/** Waits for the mail with that subject, or whose subject begins like that, and until the page of its link is there. */
export async function mailed(
	{ mailbox }: Pick<Stack, 'mailbox'>,
	subject: string | RegExp,
): Promise<Mail & { link: string }> {
	const isIt = (mail: Mail) =>
		typeof subject === 'string' ? mail.subject.startsWith(subject) : subject.test(mail.subject);
	const wanted = () => `the mail "${subject}" among ${JSON.stringify(mailbox.mails, ['subject', 'text'], 2)}`;
	const mail = await until(wanted, () => mailbox.mails.find(isIt));
	const link = /here: (\S+)/.exec(mail.text)?.[1] ?? '';
	if (link) await untilPage(link, 'form-waiting');
	return { ...mail, link };
}

/** Publishes copies of the workflows that check and pay a list from a file, with these settings for a second yes. */
export async function publishForTwo(stack: Stack, settings: Record<string, string>) {
	const paying = await publishCopy(stack, 'payouts-file-2-pay', 'Pays, two', {
		Settings: withParameters(textFields(settings)),
	});
	const checking = await publishCopy(stack, 'payouts-file-1-check', 'Checks, two', {
		Ask: withParameters(calls(paying)),
	});
	return { paying, checking };
}

/** Publishes a copy of payout-with-approval with these settings. */
export const publishAsking = async (stack: Stack, settings: Record<string, string>) =>
	await publishCopy(stack, 'payout-with-approval', 'Asks two', {
		Settings: withParameters(textFields(settings)),
	});

/** Answers on the page of the approver. Returns what it then shows. Its link then says what was decided. */
export async function answer({ link }: Pick<Question, 'link'>, decision: string): Promise<string> {
	const { page } = await send(link, decision);
	await untilPage(link, 'form-waiting');
	return String((JSON.parse(page) as Json).formSubmittedText);
}

/** Sends the page of a question. Its first field shows what is asked. */
export const send = async (link: string, decision: string) => await browse(link, ['', decision]);

/** Opens a page as a browser does, or sends its form: the fields in their order, or by their names. */
export async function browse(url: string, fields?: Array<string | File> | Array<[string, string]>) {
	const body = new FormData();
	for (const [index, field] of (fields ?? []).entries())
		if (Array.isArray(field)) body.append(...field);
		else body.set(`field-${index}`, field);
	const response = await fetch(url, {
		// n8n never answers while an execution goes on.
		signal: AbortSignal.timeout(240_000),
		// n8n may close a kept connection at the moment of its next use.
		headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0', connection: 'close' },
		...(fields && { method: 'POST', body }),
	});
	return { status: response.status, page: await response.text() };
}

/** Sends these fields of a page. Returns what it then shows, also if it stays open. */
export async function post({ link }: { link: string }, ...fields: Array<[string, string]>): Promise<string> {
	await untilPage(link, 'form-waiting');
	const { status, page } = await browse(link, fields.length > 0 ? fields : [['other', '']]);
	return status < 300 ? String((JSON.parse(page) as Json).formSubmittedText) : page;
}

/** Waits until the execution behind a page has that status, as the page itself does. */
export async function untilPage(link: string, status: string): Promise<void> {
	const url = new URL(link);
	url.pathname += '/n8n-execution-status';
	const isThere = async () => (await browse(url.href)).page === status;
	await until(`the page to be ${status}`, isThere);
}

export interface Wanted {
	key: string;
	amount: string;
	currency?: string;
	destination?: string;
	by?: string;
}

let requests = 0;

/** A payment to approve, with a key of its own. */
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
	form = formUrl(stack, workflow)!,
): Promise<string> {
	const sent = await browse(form, fields);
	const { formWaitingUrl } = JSON.parse(sent.page) as { formWaitingUrl: string };
	await untilPage(formWaitingUrl, 'form-waiting');
	const { page } = await browse(formWaitingUrl);
	// The page sends this by itself, and the execution ends.
	await browse(formWaitingUrl, []);
	return page;
}

/** Uploads a good file of payouts to supplier-main. */
export async function uploadList(stack: Stack, form: StoredWorkflow, rows: Payment[]): Promise<void> {
	const lines = rows.map(({ key, amount }) => `${key},${amount},NGN,,supplier-main`);
	const file = new File([['paymentKey,amount,currency,coin,destination', ...lines].join('\n')], 'list.csv');
	const people = ['finance@example.com', 'approver@example.com'];
	const page = await sendForm(stack, form, [file, ...people]);
	if (!page.includes('The list is good')) throw new Error(`The list is refused: ${page.slice(-1500)}`);
}

/** Asks for a payment by the form of payout-with-approval. Returns the page that then shows. */
export async function ask(
	stack: Pick<Stack, 'n8n' | 'example'>,
	{ key, amount, currency = 'NGN', destination = 'supplier-main', by = 'Ada Obi' }: Wanted,
	workflow = stack.example('payout-with-approval'),
): Promise<string> {
	return await sendForm(stack, workflow, [key, amount, currency, destination, by]);
}

/** Waits for so many mails to the approver, and until their pages are there. Returns them by their subjects. */
export async function asked({ mailbox }: Pick<Stack, 'mailbox'>, count = 1): Promise<Question[]> {
	await until(`${count} questions`, () => questionsIn(mailbox.mails).length >= count);
	const found = questionsIn(mailbox.mails);
	if (found.length > count) throw new Error(`There are ${found.length} questions in place of ${count}`);
	for (const { link } of found) await untilPage(link, 'form-waiting');
	return found.sort((a, b) => a.subject.localeCompare(b.subject));
}
