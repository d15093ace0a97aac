/** The text of an uploaded file. What is no text, or has lost a character, is refused: another character could name another payee. */
import { FILE } from './messages.ts';

const MEBIBYTE = 2 ** 20;
const MAX_MEBIBYTES = 25;

const ZIP = 'PK\u0003\u0004';

/** How files of other kinds begin, what else stands there, and what is said of them. The first that fits counts. */
const OTHER_BYTES: ReadonlyArray<readonly [start: string, has: RegExp, problem: string]> = [
	[ZIP, /mimetypeapplication\/vnd\.oasis/, FILE.isSpreadsheetOf('LibreOffice')],
	[ZIP, /Index\//, FILE.isSpreadsheetOf('Numbers')],
	[ZIP, /\[Content_Types\]|_rels\/|xl\/|docProps\//, FILE.isWorkbook()],
	[ZIP, /^/, FILE.isPacked('ZIP file')],
	// Empty, and of Excel before 2007.
	['PK\u0005\u0006', /^/, FILE.isWorkbook()],
	['\u00d0\u00cf\u0011\u00e0', /^/, FILE.isWorkbook()],
	['\u001f\u008b', /^/, FILE.isPacked('compressed file')],
	['%PDF', /^/, FILE.isOtherKind('PDF')],
	...['\u0089PNG', '\u00ff\u00d8\u00ff', 'GIF8', 'RIFF'].map(
		(start) => [start, /^/, FILE.isOtherKind('picture')] as const,
	),
];

/** Bytes at the start of a file in which its kind shows. */
const LENGTH_OF_START = 200;

/** The same of texts. */
const OTHER_TEXTS: ReadonlyArray<readonly [RegExp, string]> = [
	[/^<(?:!doctype html|html|head|body|table|style|meta|div)/i, FILE.isForExcel('a web page')],
	[/^<[\s\S]*urn:schemas-microsoft-com:office/i, FILE.isForExcel('a workbook in XML')],
	[/^<(?:\?xml|!--|[a-z][\w:.-]*[\s>])/i, FILE.isOtherText('XML')],
	[/^\{1:F\d\d/, FILE.isOtherText('a message of SWIFT')],
	[/^:20:/, FILE.isOtherText('a bank statement in the format MT940')],
	[/^OFXHEADER/i, FILE.isOtherText('a bank statement in the format OFX')],
	[/^!(?:Type|Account):/i, FILE.isOtherText('a bank statement in the format QIF')],
	[/^\{\\rtf/, FILE.isOtherText('a text document in the format RTF')],
	[/^(?:\[\s*[[{"]|\{\s*["}])/, FILE.isOtherText('JSON')],
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
	const other = OTHER_BYTES.find(([begin, has]) => start.startsWith(begin) && has.test(start));
	if (other !== undefined) return { problem: other[2] };
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
	if (text.trim() === '') return FILE.isEmpty();
	const begin = text.slice(0, MAX_BEFORE).trimStart();
	const other = OTHER_TEXTS.find(([form]) => form.test(begin));
	if (other !== undefined) return other[1];
	const place = text.indexOf(REPLACED);
	return place < 0 ? undefined : FILE.hasUnreadableCharacter(String(countLineEnds(text.slice(0, place)) + 1));
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
