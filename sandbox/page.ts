/** The files of the page at `/`, read at the start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = new Map(
	[
		['/', 'index.html', 'text/html'],
		['/page.css', 'page.css', 'text/css'],
		['/page.js', 'page.js', 'text/javascript'],
	].map(([path, name, type]) => [
		path,
		{ text: readFileSync(join(process.cwd(), 'sandbox/page', name), 'utf8'), type: `${type}; charset=utf-8` },
	]),
);

/** Nothing from elsewhere, nothing inline, in nobody's frame: what others sent is shown on this page. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The answer to a GET of this path; undefined where it is none of the page's files. */
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
