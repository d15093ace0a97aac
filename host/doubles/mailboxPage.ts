/** The page of the mailbox, in the style of the sandbox's page. */
import { pageFile, safeResponse } from '../../sandbox/page.ts';

export interface Mail {
	from: string;
	/** The addresses of all recipients, copies included. */
	to: string[];
	subject: string;
	/** The plain text, without line feeds at the end. */
	text: string;
	receivedAt: Date;
}

/** The response to a GET of this path; undefined if there is nothing. */
export function mailboxFile(path: string, mails: readonly Mail[]): Response | undefined {
	if (path === '/') return safeResponse(pageOf(mails), 'text/html; charset=utf-8');
	return path === '/page.css' ? pageFile(path) : undefined;
}

function pageOf(mails: readonly Mail[]): string {
	const list =
		mails.length === 0 ? '<p class="none">None yet.</p>' : mails.toReversed().map(entryOf).join('\n');
	return `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		<meta name="color-scheme" content="light dark" />
		<meta http-equiv="refresh" content="5" />
		<title>Mailbox (${mails.length})</title>
		<link rel="icon" href="data:," />
		<link rel="stylesheet" href="/page.css" />
	</head>
	<body>
		<header>
			<h1>Mailbox</h1>
			<p>Mails that n8n sends land here. None leaves this machine. They are gone when npm start stops.</p>
		</header>
		<main class="mails">
${list}
		</main>
	</body>
</html>
`;
}

function entryOf({ from, to, subject, text, receivedAt }: Mail): string {
	const time = receivedAt.toLocaleTimeString('en-GB');
	return `<section>
	<h2>${escapeHtml(subject)}</h2>
	<small>${time}, to <b>${escapeHtml(to.join(', '))}</b>, from ${escapeHtml(from)}</small>
	<pre>${escapeHtml(text)}</pre>
</section>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Mails may contain anything, so no part of them becomes HTML. */
function escapeHtml(text: string): string {
	return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
