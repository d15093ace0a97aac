import { sameKey } from './paymentKey.js';

/** The results after which money has moved, or may have. What says less comes first. */
const MOVED = ['unknown', 'alreadyPaid', 'paid'];

/**
 * What the tool that pays has answered, as rows of the book. The model cannot change these answers.
 * @param {N8n} n8n
 */
export function run({ $input }) {
	/** @type {Array<{ observation: string }>} */
	const steps = $input.first().json.intermediateSteps;
	const answers = steps
		.flatMap(({ observation }) => JSON.parse(observation))
		.filter(({ paymentKey, result }) => paymentKey && MOVED.includes(result))
		.sort((a, b) => MOVED.indexOf(a.result) - MOVED.indexOf(b.result));
	// A model may call twice for one invoice.
	return [...new Map(answers.map((answer) => [sameKey(answer.paymentKey), answer]))].map(
		([key, { currency, amount, accountAlias, payoutId, result, status, message }]) => ({
			json: {
				key,
				asset: currency,
				amount: `-${amount}`,
				counterpart: accountAlias,
				reference: payoutId ?? '',
				result: result === 'unknown' ? 'unknown' : 'paid',
				status: status ?? '',
				message: result === 'paid' ? '' : message,
				isEarlier: result === 'alreadyPaid',
			},
		}),
	);
}
