/** What people do with the examples that ask: fill in their forms, read their mails, and answer on their pages. */
import type { Mail } from '../doubles/mailbox.ts';
import type { Json, StoredWorkflow } from '../n8n/client.ts';
import { formUrl } from '../stack.ts';
import type { Approver, Stack } from '../stack.ts';
import { until } from '../until.ts';
import { publishPayer, startPaying } from './payments.ts';
import type { Payer } from './payments.ts';
import { calls, node } from './workflows.ts';

export const YES = 'Yes, pay them';

/** A mail with the link of its page, which has the name and the password of who opens it; '' if it has none. */
type Question = Mail & { link: string };

type Asking = Pick<Stack, 'mailbox' | 'approvers'>;

/** Waits for the mail whose subject begins or reads like that. */
export async function mailed(stack: Asking, subject: string | RegExp): Promise<Question> {
	const { mailbox } = stack;
	const isIt = (mail: Mail) =>
		typeof subject === 'string' ? mail.subject.startsWith(subject) : subject.test(mail.subject);
	const wanted = () => `the mail "${subject}" among ${JSON.stringify(mailbox.mails, ['subject', 'text'], 2)}`;
	const mail = await until(wanted, () => mailbox.mails.find(isIt));
	return { ...mail, link: linkIn(stack, mail) };
}

/** The mails that ask, oldest first. */
export const questionsIn = (stack: Asking): Question[] =>
	stack.mailbox.mails
		.map((mail) => ({ ...mail, link: linkIn(stack, mail) }))
		.filter(({ link }) => link !== '');

function linkIn({ approvers }: Asking, { text, to }: Mail): string {
	const [link = ''] = /https?:\/\/\S+\/form-waiting\/\S+/.exec(text) ?? [];
	return link && openedBy(link, to.includes('second@example.com') ? approvers.second : approvers.first);
}

/** The link with the name and the password that a browser sends; without them if nobody is named. */
export function openedBy(link: string, approver?: Approver): string {
	const url = new URL(link);
	[url.username, url.password] = [approver?.user ?? '', approver?.password ?? ''];
	return url.href;
}

/** Answers on the page of an approver, whose first field shows the list. Returns what n8n then shows. */
export const answer = async (
	question: Pick<Question, 'link'>,
	decision: string,
	name = 'Ada Obi',
	{ without = '', why = '' }: { without?: string; why?: string } = {},
) => await send(question, ['', decision, name, without, why]);

/** Answers on the page about unknown payments, whose first field shows them. */
export const decide = async (
	question: Pick<Question, 'link'>,
	{ wasPaid = [], wasNotPaid = [] }: { wasPaid?: string[]; wasNotPaid?: string[] },
) => await send(question, ['', wasPaid.join(', '), wasNotPaid.join(', ')]);

/** Sends these fields of a page, in their order. Waits until n8n can take them: it sends the mail before it waits. */
export async function send({ link }: Pick<Question, 'link'>, fields: string[]): Promise<string> {
	await untilAsked(link);
	const { status, page } = await browse(link, fields);
	if (status !== 200) throw new Error(`n8n answered ${status}: ${page.slice(-1500)}`);
	return page;
}

/** Waits until the page of a question is there. n8n never answers who opens it while its execution goes on. */
export async function untilAsked(link: string): Promise<void> {
	await untilPage(link, 'form-waiting');
}

/** Opens a page as a browser does, or sends its form: the fields in their order, or by their names. */
export async function browse(link: string, fields?: Array<string | File> | Array<[string, string]>) {
	const { username, password } = new URL(link);
	const url = openedBy(link);
	const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
	const body = new FormData();
	for (const [index, field] of (fields ?? []).entries())
		if (Array.isArray(field)) body.append(...field);
		else body.set(`field-${index}`, field);
	const response = await fetch(url, {
		// n8n never answers while an execution goes on.
		signal: AbortSignal.timeout(240_000),
		// n8n may close a kept connection at the moment of its next use.
		headers: {
			'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0',
			connection: 'close',
			...(username !== '' && { authorization }),
		},
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

/** A row as *Payout List: Read* gives it to *Part: ask*. */
export interface AskedRow extends Json {
	paymentKey: string;
	amount: string;
}

/** What hands items over, by the workflow that gets them. */
const callers = new WeakMap<object, Map<string, Payer>>();

/** Hands items to a workflow, by default rows to *Part: ask*, as its callers do: all at once, and without waiting for it. */
export async function handOver(
	stack: Pick<Stack, 'client' | 'credential' | 'example' | 'n8n'>,
	items: Json[],
	workflow = stack.example('ask'),
): Promise<void> {
	const known = callers.get(stack) ?? new Map<string, Payer>();
	callers.set(stack, known);
	const publishCaller = async () => {
		const parameters = { ...calls(workflow), options: { waitForSubWorkflow: false } };
		const payer = node('Hand over', 'executeWorkflow', parameters);
		return await publishPayer(stack, `Hands over to ${workflow.name}`, { payer, answers: 'at once' });
	};
	const caller = known.get(workflow.id) ?? (await publishCaller());
	known.set(workflow.id, caller);
	// n8n may have been restarted meanwhile.
	await stack.client.listening(caller.workflow);
	await startPaying(stack.n8n, caller, items);
}

let asked = 0;

/** A row to supplier-main with a key of its own. */
export function askedRow(amount: string, more: Json = {}): AskedRow {
	asked += 1;
	const to = { currency: 'NGN', coin: null, destination: 'supplier-main', destinationDetails: null };
	const rest = { note: null, again: true, problems: [], askedBy: 'finance@example.com' };
	return { row: asked + 1, paymentKey: `ASK-${asked}`, amount, ...to, ...rest, ...more };
}
