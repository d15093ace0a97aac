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
	['/page.js', load('page.js', 'text/javascript')],
]);

/** No foreign sources, no inline code, no frames: the page shows text from untrusted senders. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The response to a GET of this path; undefined if the page has no such file. */
export function pageFile(path: string): Response | undefined {
	const file = FILES.get(path);
	if (file === undefined) return undefined;
	return new Response(file.text, {
		headers: {
			'content-type': file.type,
			'content-security-policy': POLICY,
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cache-control': 'no-cache',
		},
	});
}
