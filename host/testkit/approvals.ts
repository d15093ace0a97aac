/** What people do with the examples that ask: fill in their forms, read their mails, and answer on their pages. */
import type { Mail } from '../doubles/mailbox.ts';
import type { Json, StoredWorkflow } from '../n8n/client.ts';
import { formUrl } from '../stack.ts';
import type { Stack } from '../stack.ts';
import { until } from '../until.ts';
import { publishHandOver } from './payments.ts';
import type { HandOver } from './payments.ts';

export const YES = 'Yes, pay them';

/** A mail with the link of its page; '' if it has none. */
type Question = Mail & { link: string };

/** Waits for the mail whose subject begins or reads like that. */
export async function mailed(
	{ mailbox }: Pick<Stack, 'mailbox'>,
	subject: string | RegExp,
): Promise<Question> {
	const isIt = (mail: Mail) =>
		typeof subject === 'string' ? mail.subject.startsWith(subject) : subject.test(mail.subject);
	const wanted = () => `the mail "${subject}" among ${JSON.stringify(mailbox.mails, ['subject', 'text'], 2)}`;
	const mail = await until(wanted, () => mailbox.mails.find(isIt));
	return { ...mail, link: linkIn(mail) };
}

/** The mails that ask, oldest first. */
export const questionsIn = (mails: readonly Mail[]): Question[] =>
	mails.map((mail) => ({ ...mail, link: linkIn(mail) })).filter(({ link }) => link !== '');

/** n8n writes the address of a button in brackets. */
const linkIn = ({ text }: Mail): string =>
	/https?:\/\/[^\s\]]+\/webhook-waiting\/[^\s\]]+/.exec(text)?.[0] ?? '';

/** Answers on the page of an approver, whose first field shows the list. Returns what n8n then shows. */
export const answer = async (
	question: Pick<Question, 'link'>,
	decision: string,
	name = 'Ada Obi',
	why = '',
) => await send(question, ['', decision, name, why]);

/** Answers on the page about unknown payments, whose first fields show what was wrong with the last answer, and the payments. */
export const decide = async (
	question: Pick<Question, 'link'>,
	{ wasPaid = [], wasNotPaid = [] }: { wasPaid?: string[]; wasNotPaid?: string[] },
) => await send(question, ['', '', wasPaid.join(', '), wasNotPaid.join(', ')]);

/** Sends these fields of a page, in their order. Waits until n8n can take them: it sends the mail before it waits. */
export async function send({ link }: Pick<Question, 'link'>, fields: string[]): Promise<string> {
	await untilAsked(link);
	const { status, page } = await browse(link, fields);
	if (status !== 200) throw new Error(`n8n answered ${status}: ${page.slice(-1500)}`);
	return page;
}

/** Waits until the page of a question is there. */
export async function untilAsked(link: string): Promise<void> {
	await until(`the page ${link}`, async () => (await browse(link)).page.includes('<form'));
}

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
	// A browser shows each of these as a space.
	const page = (await response.text()).replaceAll(/&#160;|&nbsp;|\u00A0/g, ' ');
	return { status: response.status, page };
}

/** Waits until the execution behind the page of a form has that status, as the page itself does. */
async function untilPage(link: string, status: string): Promise<void> {
	const url = new URL(link);
	url.pathname += '/n8n-execution-status';
	const isThere = async () => (await browse(url.href)).page === status;
	await until(`the page to be ${status}`, isThere);
}

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

/** A row as *Payout List: Read* gives it to *ask and pay*. */
export interface AskedRow extends Json {
	paymentKey: string;
	amount: string;
}

/** What hands lists over, by the workflow that gets them. */
const callers = new WeakMap<object, Map<string, HandOver>>();

/** Hands rows to *ask and pay*, as its callers do: all at once, and without waiting for it. */
export async function handOver(
	stack: Pick<Stack, 'client' | 'credential' | 'example' | 'n8n'>,
	rows: Json[],
	workflow = stack.example('ask-and-pay'),
): Promise<void> {
	const known = callers.get(stack) ?? new Map<string, HandOver>();
	callers.set(stack, known);
	const caller =
		known.get(workflow.id) ?? (await publishHandOver(stack, `Hands over to ${workflow.name}`, workflow));
	known.set(workflow.id, caller);
	await caller.handOver(...rows);
}

let asked = 0;

/** A row to supplier-main with a key of its own. */
export function askedRow(amount: string, more: Json = {}): AskedRow {
	asked += 1;
	const to = { currency: 'NGN', coin: null, destination: 'supplier-main', destinationDetails: null };
	const rest = { note: null, again: true, problems: [], askedBy: 'finance@example.com' };
	return { row: asked + 1, paymentKey: `ASK-${asked}`, amount, ...to, ...rest, ...more };
}
