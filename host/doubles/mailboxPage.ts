/** The page of the mailbox, in the style of the sandbox's page. */
import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { isLoopback, SAFE_HEADERS } from '../../sandbox/http/safeHeaders.ts';

export interface Mail {
	from: string;
	/** The addresses of all recipients, copies included. */
	to: string[];
	subject: string;
	/** The plain text, without line feeds at the end. */
	text: string;
	/** As a mail program shows it. Missing if there is none. */
	html?: string;
	/** Missing if there are none. */
	attachments?: Attachment[];
	receivedAt: Date;
}

type Attachment = { name: string; content: Buffer };

/** The headers and the text of the answer to a GET of this URL; undefined if there is nothing. */
export async function mailboxFile(url: string, mails: readonly Mail[]) {
	const { hostname, pathname } = URL.parse(url) ?? {};
	// Another host name means that a page of another site asks (DNS rebinding).
	if (hostname === undefined || !isLoopback(hostname)) return undefined;
	const fileOf = (type: string, text: string) => ({
		headers: { ...SAFE_HEADERS, 'content-type': type },
		text,
	});
	if (pathname === '/') return fileOf('text/html; charset=utf-8', String(await pageOf(mails)));
	if (pathname === '/page.js') return fileOf('text/javascript; charset=utf-8', SCRIPT);
	return pathname === '/page.css' ? fileOf('text/css; charset=utf-8', STYLE) : undefined;
}

const STYLE = readFileSync('sandbox/page/page.css', 'utf8');

/** Puts new mails above the others as they come. What a person reads or clicks stays as it is. */
const SCRIPT = `const main = document.querySelector('main');
setInterval(async () => {
	const answer = await fetch('/').catch(() => undefined);
	if (answer === undefined) return;
	const now = new DOMParser().parseFromString(await answer.text(), 'text/html');
	const entries = [...now.querySelectorAll('main > *')];
	const newest = main.firstElementChild.outerHTML;
	const shown = entries.findIndex(({ outerHTML }) => outerHTML === newest);
	if (shown === 0) return;
	if (shown < 0) main.replaceChildren(...entries);
	else main.prepend(...entries.slice(0, shown));
	document.title = now.title;
}, 2000);
`;

/** Mails may contain anything. `html` lets no part of them become HTML. */
function pageOf(mails: readonly Mail[]) {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>Mailbox (${mails.length})</title>
				<link rel="icon" href="data:," />
				<link rel="stylesheet" href="/page.css" />
				<script type="module" src="/page.js"></script>
			</head>
			<body>
				<header>
					<h1>Mailbox</h1>
					<p>
						Mails that n8n sends arrive here. None leaves this machine. They are gone when npm start stops.
					</p>
				</header>
				<main class="one">
					${mails.length > 0 ? mails.toReversed().map(entryOf) : html`<p class="none">None yet.</p>`}
				</main>
			</body>
		</html> `;
}

function entryOf({ from, to, subject, text, attachments = [], receivedAt }: Mail) {
	const time = receivedAt.toLocaleTimeString('en-GB');
	return html`<section>
		<h2>${subject}</h2>
		<small>${time}, to <b>${to.join(', ')}</b>, from ${from}</small>
		<pre>${withLinks(text)}</pre>
		${attachments.map(attachmentOf)}
	</section>`;
}

/** The most lines of an attachment that the page shows; the link has all. */
const SHOWN_LINES = 10;

/** A file of text, as the examples attach it. */
function attachmentOf({ name, content }: Attachment) {
	const lines = content.toString('utf8').trimEnd().split('\n');
	const more = lines.length > SHOWN_LINES ? `\n… and ${lines.length - SHOWN_LINES} more lines` : '';
	const href = `data:application/octet-stream;base64,${content.toString('base64')}`;
	return html`<p><a download="${name}" href="${href}">${name}</a></p>
		<pre>${lines.slice(0, SHOWN_LINES).join('\n') + more}</pre>`;
}

/** Addresses of pages become links, as in a mail program. */
const withLinks = (text: string) =>
	text
		.split(/(https?:\/\/[^\s<>"'\]]+)/)
		.map((part, index) =>
			index % 2 === 0 ? part : html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>`,
		);
