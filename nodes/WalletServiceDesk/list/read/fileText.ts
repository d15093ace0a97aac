/** The text of an uploaded file. What is no text, or has lost a character, is refused: another character could name another payee. */
import { FILE } from './messages.ts';

const MEBIBYTE = 2 ** 20;
const MAX_MEBIBYTES = 25;

/** How files of other kinds begin. */
const ZIP = ['PK\u0003\u0004', 'PK\u0005\u0006'];
const OLD_OFFICE = '\u00d0\u00cf\u0011\u00e0';
const PDF = '%PDF';
const WEB_PAGE = /^\s*<(?:!doctype|html|head|body|table|\?xml)/i;

/** How a text begins that Excel has saved as "Unicode Text". */
const UTF_16 = { 'utf-16le': '\u00ff\u00fe', 'utf-16be': '\u00fe\u00ff' };

const REPLACED = '\uFFFD';

/** The text without a byte order mark, or in one sentence why there is none. Reads UTF-8, and UTF-16 that says so. */
export function fileText(content: Uint8Array): { text: string } | { problem: string } {
	if (content.length > MAX_MEBIBYTES * MEBIBYTE) return { problem: FILE.isTooLarge(String(MAX_MEBIBYTES)) };
	const start = String.fromCharCode(...content.subarray(0, 4));
	const kind = otherKind(start);
	if (kind !== undefined) return { problem: kind };
	const text = decode(content, start);
	const problem = textProblem(text);
	return problem === undefined ? { text } : { problem };
}

function otherKind(start: string): string | undefined {
	if (ZIP.includes(start) || start === OLD_OFFICE) return FILE.isWorkbook();
	return start === PDF ? FILE.isPdf() : undefined;
}

/** A byte that is not of the encoding becomes a character that stands for no other. */
function decode(content: Uint8Array, start: string): string {
	const [encoding] = Object.entries(UTF_16).find(([, mark]) => start.startsWith(mark)) ?? ['utf-8'];
	return new TextDecoder(encoding).decode(content);
}

function textProblem(text: string): string | undefined {
	if (text.includes('\u0000')) return FILE.isNotUtf8();
	const place = text.indexOf(REPLACED);
	if (place >= 0) return FILE.hasUnreadableCharacter(String(countLineEnds(text.slice(0, place)) + 1));
	if (text.trim() === '') return FILE.isEmpty();
	return WEB_PAGE.test(text) ? FILE.isWebPage() : undefined;
}

/** Of Windows, Unix and old Macs. */
export function countLineEnds(text: string): number {
	let count = 0;
	for (let place = 0; place < text.length; place += 1) {
		const isLast = text[place] === '\n' || (text[place] === '\r' && text[place + 1] !== '\n');
		if (isLast) count += 1;
	}
	return count;
}
