/** What is wrong with many payments, said once: `Rows 3, 7 and 12: The amount is missing.` */
import { shortLine } from '../../page/text.ts';
import { placesInWords } from './places.ts';
import type { JudgedPayment } from './judgeList.ts';

/** Characters of a sentence that people see. */
const MOST = 500;

interface Group {
	/** The sentence as it stands, of the first payment. */
	sentence: string;
	of: JudgedPayment[];
}

/** One sentence for each kind of complaint, in the order of the list, with the places of all payments that it is about. */
export function sameProblems(payments: readonly JudgedPayment[]): string[] {
	const groups = new Map<string, Group>();
	for (const payment of payments) {
		for (const complaint of payment.complaints) {
			const common = withoutOwnValues(complaint, payment);
			const group = groups.get(common) ?? { sentence: complaint, of: [] };
			group.of.push(payment);
			groups.set(common, group);
		}
	}
	return [...groups].map(([common, { sentence, of }]) => {
		const places = placesInWords(of.map(({ place }) => place));
		return `${places}: ${shortLine(of.length > 1 ? common : sentence, MOST)}`;
	});
}

/** The sentence with `…` for the amount and the key of its own payment, so that it is the same for others. */
function withoutOwnValues(complaint: string, { row }: JudgedPayment): string {
	const own = [row.amount, row.paymentKey].filter((value) => value !== '');
	return shortLine(complaint, MOST)
		.split(' ')
		.map((word) => (own.includes(word) ? '…' : word))
		.join(' ');
}
