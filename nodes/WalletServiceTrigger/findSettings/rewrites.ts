/** What the body of a delivery may have been before something on its way wrote its JSON anew: other spaces, other escapes. */

/** In bytes. Deliveries of the service have less than 4 KB. */
const MAX_SIZE = 64 * 1024;

/** Values and signs of a JSON text that was parsed before. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const unescape = (text: string) =>
	text
		.replace(/\\u([\da-f]{4})/gi, (whole, digits: string) => {
			const character = String.fromCharCode(parseInt(digits, 16));
			// These would end the text, or begin an escape.
			return character < ' ' || '"\\'.includes(character) ? whole : character;
		})
		.replaceAll('\\/', '/');
const toAscii = (text: string) => text.replace(/[\u0080-\uffff]/g, escape);

/** How programs write the texts of JSON: JavaScript; Python; PHP; Go. */
const TEXTS = [
	(text: string) => text,
	unescape,
	(text: string) => toAscii(unescape(text)),
	(text: string) => toAscii(unescape(text)).replaceAll('/', '\\/'),
	(text: string) => unescape(text).replace(/[<>&\u2028\u2029]/g, escape),
];

/** How they set spaces and lines: after a colon, after a comma, and for each depth. */
const LAYOUTS = [
	{ colon: ':', comma: ',', indent: '' },
	{ colon: ': ', comma: ', ', indent: '' },
	...['  ', '    ', '\t'].map((indent) => ({ colon: ': ', comma: ',', indent })),
];

function write(tokens: string[], { colon, comma, indent }: (typeof LAYOUTS)[number]): string {
	let depth = 0;
	const line = () => (indent === '' ? '' : `\n${indent.repeat(depth)}`);
	return tokens
		.map((token, at) => {
			if (token === ':') return colon;
			if (token === ',') return comma + line();
			if (token === '{' || token === '[') {
				depth += 1;
				return isEnd(tokens[at + 1]) ? token : token + line();
			}
			if (!isEnd(token)) return token;
			depth -= 1;
			return isBegin(tokens[at - 1]) ? token : line() + token;
		})
		.join('');
}

const isBegin = (token?: string) => token === '{' || token === '[';
const isEnd = (token?: string) => token === '}' || token === ']';

/** The bodies that may have been sent, without the one that arrived. */
export function rewritesOf(body: Uint8Array): Buffer[] {
	if (body.length > MAX_SIZE) return [];
	const arrived = Buffer.from(body).toString();
	const tokens = arrived.match(TOKEN) ?? [];
	const texts = TEXTS.flatMap((writeText) => {
		const written = tokens.map((token) => (token.startsWith('"') ? writeText(token) : token));
		return LAYOUTS.map((layout) => write(written, layout));
	});
	const all = new Set([...texts, ...texts.slice(0, LAYOUTS.length).map((text) => `${text}\n`)]);
	all.delete(arrived);
	return [...all].map((text) => Buffer.from(text));
}
