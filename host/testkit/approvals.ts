/** What people do with the example payout-with-approval: ask by its form, read its mails, and answer on their pages. */
import type { Mail } from '../doubles/mailbox.ts';
import type { Json, StoredWorkflow } from '../n8n/client.ts';
import { formUrl } from '../stack.ts';
import type { Stack } from '../stack.ts';
import { until } from '../until.ts';
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

/** Waits for the mail whose subject begins like that, and until the page of its link is there. */
export async function mailed({ mailbox }: Stack, subject: string): Promise<Mail & { link: string }> {
	const ofIt = (mail: Mail) => mail.subject.startsWith(subject);
	const mail = await until(`the mail "${subject}"`, () => mailbox.mails.find(ofIt));
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

/** Opens a page as a browser does, or sends its form. */
export async function browse(url: string, fields?: Array<string | File>) {
	const body = new FormData();
	for (const [index, value] of (fields ?? []).entries()) body.set(`field-${index}`, value);
	const response = await fetch(url, {
		// n8n never answers while an execution goes on.
		signal: AbortSignal.timeout(30_000),
		headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' },
		...(fields && { method: 'POST', body }),
	});
	return { status: response.status, page: await response.text() };
}

/** Sends these fields of a page. Returns what it then shows, also if it stays open. */
export async function post({ link }: { link: string }, ...fields: Array<[string, string]>): Promise<string> {
	await untilPage(link, 'form-waiting');
	const body = new FormData();
	for (const [name, value] of fields) body.append(name, value);
	if (fields.length === 0) body.append('other', '');
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' };
	const response = await fetch(link, { method: 'POST', body, headers, signal: AbortSignal.timeout(30_000) });
	const page = await response.text();
	return response.ok ? String((JSON.parse(page) as { formSubmittedText: string }).formSubmittedText) : page;
}

/** Waits until the execution behind a page has that status, as the page itself does. */
export async function untilPage(link: string, status: string, withinMs?: number): Promise<void> {
	const url = new URL(link);
	url.pathname += '/n8n-execution-status';
	const isThere = async () => (await browse(url.href)).page === status;
	await until(`the page to be ${status}`, isThere, withinMs);
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
	withinMs?: number,
): Promise<string> {
	const sent = await browse(form, fields);
	const { formWaitingUrl } = JSON.parse(sent.page) as { formWaitingUrl: string };
	await untilPage(formWaitingUrl, 'form-waiting', withinMs);
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

/** Waits for so many mails to the approver, and until their pages are there. Returns them by their subjects. */
export async function asked({ mailbox }: Pick<Stack, 'mailbox'>, count = 1): Promise<Question[]> {
	const found = await until(`${count} questions`, () => {
		const questions = questionsIn(mailbox.mails);
		return questions.length >= count ? questions : undefined;
	});
	if (found.length > count) throw new Error(`There are ${found.length} questions in place of ${count}`);
	for (const { link } of found) await untilPage(link, 'form-waiting');
	return found.sort((a, b) => a.subject.localeCompare(b.subject));
}
