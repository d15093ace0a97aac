/** What is wrong with many payments, said once: `Rows 3, 7 and 12: The amount is missing.` */
import { shortLine } from '../../../shared/text.ts';
import { placesInWords } from '../places.ts';
import type { JudgedPayment } from './judgeList.ts';

/** Characters of a sentence that people see. */
const MOST = 500;

interface Group {
	/** The sentences as they stand, each once. */
	sentences: Set<string>;
	of: JudgedPayment[];
}

/** One sentence for each kind of complaint, in the order of the list, with the places of all payments that it is about. */
export function sameProblems(payments: readonly JudgedPayment[]): string[] {
	const groups = new Map<string, Group>();
	for (const payment of payments) {
		for (const complaint of payment.complaints) {
			const common = withoutOwnValues(complaint, payment);
			const group = groups.get(common) ?? { sentences: new Set(), of: [] };
			group.sentences.add(complaint);
			group.of.push(payment);
			groups.set(common, group);
		}
	}
	return [...groups].map(([common, { sentences, of }]) => {
		const places = placesInWords(of.map(({ place }) => place));
		// What two rows have in common, such as one payment key, is what a person looks for.
		const [sentence = common, ...others] = sentences;
		return `${places}: ${shortLine(others.length > 0 ? common : sentence, MOST)}`;
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
