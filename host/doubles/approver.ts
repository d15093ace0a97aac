/** What an approver does: reads the mails of the example payout-with-approval, and answers on their pages. */
import type { Mail } from './mailbox.ts';
import type { Json } from '../n8n/client.ts';
import { until } from '../until.ts';

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

/** Answers on the page of the approver. Returns what it then shows. */
export async function answer({ link }: Pick<Question, 'link'>, decision: string): Promise<string> {
	const { page } = await browse(link, [decision]);
	await untilPage(link, 'success');
	return String((JSON.parse(page) as Json).formSubmittedText);
}

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

/** Waits until the execution behind a page has that status, as the page itself does. */
export async function untilPage(link: string, status: string): Promise<void> {
	const url = new URL(link);
	url.pathname += '/n8n-execution-status';
	await until(`the page to be ${status}`, async () =>
		(await browse(url.href)).page === status ? true : undefined,
	);
}
