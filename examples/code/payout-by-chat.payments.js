import { sameKey } from './paymentKey.js';

/** The results after which money has moved, or may have. */
const MOVED = ['paid', 'alreadyPaid', 'unknown'];

/**
 * What the tool that pays has answered, as rows of the book. The model cannot change these answers.
 * @param {N8n} n8n
 */
export function run({ $input }) {
	/** @type {Array<{ observation: string }>} */
	const steps = $input.first().json.intermediateSteps;
	return steps
		.flatMap(({ observation }) => JSON.parse(observation))
		.filter(({ paymentKey, result }) => paymentKey && MOVED.includes(result))
		.map(({ paymentKey, currency, amount, accountAlias, payoutId, result, status, message }) => ({
			json: {
				key: sameKey(paymentKey),
				asset: currency,
				amount: `-${amount}`,
				counterpart: accountAlias,
				reference: payoutId ?? '',
				result: result === 'unknown' ? 'unknown' : 'paid',
				status: status ?? '',
				message: result === 'paid' ? '' : message,
				isEarlier: result === 'alreadyPaid',
			},
		}));
}
