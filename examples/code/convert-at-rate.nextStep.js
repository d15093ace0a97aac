import { nextStep } from './conversion.js';

/**
 * What to do next for this order.
 * @param {N8n} n8n
 */
export function run({ $, $input, $now }) {
	/** @param {string} node */
	const items = (node) =>
		$(node)
			.all()
			.map((item) => item.json);
	const failed = ['Contracts', 'Published rates'].find((node) => items(node).some(({ error }) => error));
	const error = failed && items(failed)[0].error;
	const { balance = '' } = $input.first().json;
	return [
		{
			json: nextStep({
				order: $('Each order').first().json,
				conversions: items('Conversions so far').filter(({ id }) => id),
				contracts: items('Contracts'),
				rates: items('Published rates').filter(({ baseCurrency }) => baseCurrency),
				settings: $('Settings').first().json,
				unread: failed ? `${failed} cannot be read: ${error.message ?? error}` : '',
				balance: String(balance),
				now: $now.toUTC().toISO() ?? '',
			}),
		},
	];
}
