/** What the lines above the names of the columns say of the amounts: `All amounts in thousands`, `Payouts of June (NGN '000)`. */
import { isOtherUnit, isUnitOfMoney, readAmountName } from './amountName.ts';
import type { AmountName } from './amountName.ts';
import type { CsvRecord } from './csv.ts';

/** What a line says, and the number of its row. */
export type Title = Omit<AmountName, 'isPrice'> & { row: number; text: string };

const MAX_LENGTH = 200;
/** Between brackets. */
const IN_BRACKETS = /[([]([^()[\]]{1,40})[)\]]/g;
/** Behind such a word: `Figures in ₦ millions`. A year or a place may stand there, too. */
const IN =
	/(?<!\p{L})(?:amounts?|figures|values|sums|prices|betr\u00e4ge|montants|importes|importi|valores|bedragen)\s(?:[^.;:]{0,30}\s)?(?:are\s)?(?:in|en|em)\s([^.;:()]{1,40})/giu;

/** Of each line that says something. `codesOfList`: the currencies and coins of the rows, in capitals. */
export function readTitles(above: readonly CsvRecord[], codesOfList: ReadonlySet<string>): Title[] {
	const cells = above.flatMap(({ cells: texts, row }) => texts.map((text) => ({ text, row })));
	return cells.flatMap(({ text, row }) => {
		const begin = text.slice(0, MAX_LENGTH);
		const parts = [...begin.matchAll(IN_BRACKETS), ...begin.matchAll(IN)].map(([, part = '']) => part);
		return parts.flatMap((part) => titleIn(part, codesOfList)).map((said) => ({ ...said, row, text }));
	});
}

/** Words that are not known say nothing here: a title may be about anything. */
function titleIn(part: string, codesOfList: ReadonlySet<string>): Array<Omit<AmountName, 'isPrice'>> {
	const unit = part.split(/\s+/).find(isUnitOfMoney);
	if (unit !== undefined) return [{ unit, fits: () => false }];
	const said = readAmountName(part, codesOfList);
	if (said.code === undefined) return [];
	if (isOtherUnit(part)) return [{ unit: part, fits: () => false }];
	return said.unit === undefined ? [said] : [];
}
