/** All proofs as a mail, a page and a file. */
import { paragraph, table } from '../../page/blocks.ts';
import type { Paragraph, TableRow } from '../../page/blocks.ts';
import { csvFile } from '../../page/csvFile.ts';
import { toHtml } from '../../page/html.ts';
import { readableAmount, shortLine } from '../../../shared/text.ts';
import { dayOf } from '../bookTime.ts';
import type { Entry } from './findings.ts';
import type { Verdict } from './judgeDifference.ts';
import type { AssetProof, Proof } from './proveAsset.ts';
import { PAGE } from './messages.ts';

export interface PageInput {
	proofs: Proof[];
	/** Assets of the book whose balance nobody has read. */
	notProved: string[];
	time: string;
	/** About rows that cannot be read as they stand. */
	notes: string[];
}

/** What a person must see first, behind what is not explained. */
const ORDER: readonly Verdict[] = ['CANNOT BE READ', 'explained', 'under way', 'first proof', 'proved'];

/** The subject, the text and the HTML. First proofs stand together, one line each. */
export function pageOf(input: PageInput): { subject: string; text: string; html: string } {
	return { subject: subjectOf(input), text: textOf(input), html: htmlOf(input) };
}

function subjectOf({ proofs, notProved, time, notes }: PageInput): string {
	const date = dayOf(time);
	const count = (verdict: Verdict) => proofs.filter((proof) => proof.verdict === verdict).length;
	if (proofs.length === 0 && notProved.length === 0) return PAGE.nothing(date);
	const countOfNotes = notes.length + proofs.flatMap((proof) => proof.notes).length;
	const isAllProved = notProved.length === 0 && count('proved') === proofs.length;
	if (isAllProved && countOfNotes === 0) return PAGE.allProved(date);
	if (notProved.length === 0 && count('first proof') === proofs.length)
		return PAGE.first({ date, count: proofs.length });
	const verdicts = ORDER.filter((verdict) => count(verdict) > 0).map(
		(verdict) => `${count(verdict)} ${verdict}`,
	);
	const missing = notProved.length > 0 ? [`${notProved.length} NOT PROVED`] : [];
	const open = PAGE.notExplained(proofs.filter(({ verdict }) => verdict === 'NOT EXPLAINED'));
	const about = countOfNotes > 0 ? [PAGE.notes(countOfNotes)] : [];
	return PAGE.verdicts({ date, verdicts: [...missing, ...open, ...verdicts, ...about] });
}

function firstsOf(proofs: Proof[]): Proof[] {
	return proofs.filter(({ verdict }) => verdict === 'first proof');
}

function comparedOf(proofs: Proof[]): Proof[] {
	return proofs.filter(({ verdict }) => verdict !== 'first proof');
}

function textOf({ proofs, notProved, notes }: PageInput): string {
	const firsts = firstsOf(proofs);
	const blocks = [
		...comparedOf(proofs).map(blockOf),
		...(firsts.length > 0 ? [[PAGE.startsHere, ...firsts.map(PAGE.balance)]] : []),
		...(notProved.length > 0 ? [[PAGE.notProved(notProved)]] : []),
		...(notes.length > 0 ? [[PAGE.aboutTheBook, ...notes]] : []),
	];
	return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

function blockOf(proof: Proof): string[] {
	const sums = proof.booked === '' ? [] : [PAGE.sums(proof)];
	return [PAGE.verdict(proof), ...sums, ...proof.lines, ...proof.notes];
}

function htmlOf({ proofs, notProved, notes }: PageInput): string {
	const compared = comparedOf(proofs);
	const firsts = firstsOf(proofs);
	return toHtml([
		...(compared.length > 0 ? [table([...PAGE.columns], compared.map(rowOf))] : []),
		...compared.flatMap(paragraphsOf),
		...(firsts.length > 0
			? [paragraph(PAGE.startsHere), table([...PAGE.firstColumns], firsts.map(firstRowOf))]
			: []),
		...(notProved.length > 0 ? [paragraph(PAGE.notProved(notProved))] : []),
		...(notes.length > 0 ? [PAGE.aboutTheBook, ...notes].map(paragraph) : []),
	]);
}

function rowOf(proof: Proof): TableRow {
	const { asset, opening, booked, closing, difference, verdict } = proof;
	const amounts = [opening, booked, closing, difference].map(readableAmount);
	return {
		cells: [shortLine(asset), ...amounts, verdict].map((cell) => [cell]),
		inWords: PAGE.verdict(proof),
	};
}

function firstRowOf(proof: Proof): TableRow {
	const cells = [[shortLine(proof.asset)], [readableAmount(proof.closing)]];
	return { cells, inWords: PAGE.balance(proof) };
}

/** What is to be said of an asset, under its name. */
function paragraphsOf(proof: Proof): Paragraph[] {
	const said = [...proof.lines, ...proof.notes];
	return said.length === 0 ? [] : [PAGE.verdict(proof), ...said].map(paragraph);
}

const COLUMNS = [
	'asset',
	'time',
	'kind',
	'amount',
	'counterpart',
	'reference',
	'status',
	'txHash',
	'key',
] as const;

type Line = Partial<Record<(typeof COLUMNS)[number], string>>;

/** A line for the balance before, each movement that counts, the difference and the balance now. */
export function fileOf(proved: AssetProof[]): string {
	const lines = proved.filter(({ proof }) => proof.closing !== '').flatMap(linesOfFile);
	return csvFile(
		COLUMNS,
		lines.map((line) => COLUMNS.map((column) => line[column] ?? '')),
	);
}

function linesOfFile({ proof, entries }: AssetProof): Line[] {
	const { asset, time, opening, openedAt, closing, difference, lines } = proof;
	const hasDifference = difference !== '' && difference !== '0';
	const why = lines.join(' ');
	return [
		...(opening === '' ? [] : [{ asset, time: openedAt, kind: 'balance', amount: opening }]),
		...entries.map((entry) => lineOf(asset, entry)),
		...(hasDifference ? [{ asset, time, kind: 'difference', amount: difference, counterpart: why }] : []),
		{ asset, time, kind: 'balance', amount: closing },
	];
}

function lineOf(asset: string, entry: Entry): Line {
	const { time, kind, amount, counterpart, reference, status, txHash, key } = entry;
	return { asset, time, kind, amount, counterpart, reference, status, txHash, key };
}
