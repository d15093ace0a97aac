/** The text of an uploaded file. What is no text, or has lost a character, is refused: another character could name another payee. */
import { FILE } from './messages.ts';

const MEBIBYTE = 2 ** 20;
const MAX_MEBIBYTES = 25;

/** How files of other kinds begin. Of several that fit, the first counts. */
const OTHER_BYTES: ReadonlyArray<readonly [RegExp, () => string]> = [
	[/^PK[\s\S]*mimetypeapplication\/vnd\.oasis/, () => FILE.isSpreadsheetOf('LibreOffice')],
	[/^PK[\s\S]*Index\//, () => FILE.isSpreadsheetOf('Numbers')],
	[/^(?:PK\u0003\u0004[\s\S]*(?:\[Content_Types\]|_rels\/|xl\/|docProps\/)|PK\u0005\u0006|\u00d0\u00cf\u0011\u00e0)/, FILE.isWorkbook],
	[/^PK\u0003\u0004/, () => FILE.isPacked('ZIP file')],
	[/^\u001f\u008b/, () => FILE.isPacked('compressed file')],
	[/^%PDF/, () => FILE.isOtherKind('PDF')],
	[/^(?:\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF)/, () => FILE.isOtherKind('picture')],
];

/** Bytes at the start of a file in which its kind shows. */
const LENGTH_OF_START = 200;

/** How texts of other kinds begin. */
const OTHER_TEXTS: ReadonlyArray<readonly [RegExp, string]> = [
	[/^<(?:!doctype html|html|head|body|table)/i, 'a web page'],
	[/^<(?:\?xml|!--|[a-z][\w:.-]*[\s>])/i, 'XML'],
	[/^\{1:F\d\d/, 'a message of SWIFT'],
	[/^:20:/, 'a bank statement in the format MT940'],
	[/^OFXHEADER/i, 'a bank statement in the format OFX'],
	[/^!(?:Type|Account):/i, 'a bank statement in the format QIF'],
	[/^\{\\rtf/, 'a text document in the format RTF'],
	[/^(?:\[\s*[[{"]|\{\s*["}])/, 'JSON'],
];

/** How a text begins that Excel has saved as "Unicode Text". */
const UTF_16 = { 'utf-16le': '\u00ff\u00fe', 'utf-16be': '\u00fe\u00ff' };

/** Characters in which a text shows its kind. */
const MAX_BEFORE = 2_000;

const REPLACED = '\uFFFD';

/** The text without a byte order mark, or in one sentence why there is none. Reads UTF-8, and UTF-16 that says so. */
export function fileText(content: Uint8Array): { text: string } | { problem: string } {
	if (content.length > MAX_MEBIBYTES * MEBIBYTE) return { problem: FILE.isTooLarge(String(MAX_MEBIBYTES)) };
	const start = String.fromCharCode(...content.subarray(0, LENGTH_OF_START));
	const kind = OTHER_BYTES.find(([form]) => form.test(start));
	if (kind !== undefined) return { problem: kind[1]() };
	const text = decode(content, start);
	const problem = textProblem(text);
	return problem === undefined ? { text } : { problem };
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
	const begin = text.slice(0, MAX_BEFORE).trimStart();
	const [, kind] = OTHER_TEXTS.find(([form]) => form.test(begin)) ?? [];
	return kind && FILE.isOtherText(kind);
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
