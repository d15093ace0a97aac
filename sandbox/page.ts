/** The files of the page at `/`, read once at the start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const load = (name: string, type: string) => ({
	text: readFileSync(join(process.cwd(), 'sandbox/page', name), 'utf8'),
	type: `${type}; charset=utf-8`,
});

const FILES = new Map([
	['/', load('index.html', 'text/html')],
	['/page.css', load('page.css', 'text/css')],
	...['page.js', 'controls.js', 'dom.js'].map((name) => [`/${name}`, load(name, 'text/javascript')] as const),
]);

/** No foreign sources, no inline code, no frames: the page shows text from untrusted senders. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The response to a GET of this path; undefined if the page has no such file. */
export function pageFile(path: string): Response | undefined {
	const file = FILES.get(path);
	return file && safeResponse(file.text, file.type);
}

/** A response that loads nothing from other hosts and runs nothing that its text contains. */
export function safeResponse(text: string, type: string): Response {
	return new Response(text, {
		headers: {
			'content-type': type,
			'content-security-policy': POLICY,
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cache-control': 'no-cache',
		},
	});
}
