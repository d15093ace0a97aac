import { cut, short } from './arithmetic.js';
import { isAmount } from './conversion.js';
import { subtract } from './decimal.js';

/**
 * What is paid out of what the conversions brought.
 * @param {string} amount
 * @param {string} places
 */
export const payable = (amount, places) => (isAmount(amount) ? short(cut(amount, Number(places))) : '');

/**
 * Where a deposit is on its way, and what a person reads of it. A mail goes out if `told` is new.
 * @param {Deposit} deposit
 * @param {Record<string, any>} converted what the workflow that converts said
 * @param {Record<string, any> | undefined} paid what pay once said
 * @param {string} places
 */
export function wayOf(deposit, converted, paid, places) {
	const { deposit_id, amount, coin, to_currency, pay_to, minimum_rate } = deposit;
	const start = `Deposit ${deposit_id}: ${amount} ${coin} for ${deposit.wallet}`;
	/** @type {(told: string, what: string, lines: string[], more?: object) => Record<string, string>} */
	const way = (told, what, lines, more = {}) => ({
		state: 'open',
		told,
		payout_id: '',
		paid_amount: '',
		...more,
		subject: `${what}: ${amount} ${coin}, deposit ${deposit_id}`,
		text: [start, ...lines].join('\n'),
	});
	const again = 'It is tried again at the next run. Nothing is converted or paid twice.';
	const cancel = `To stop it, write cancelled into the column state of its row in wallet_service_deposits.`;

	if (converted.error || !converted.text)
		return way('conversion not run', 'Not converted yet', [
			`The workflow that converts did not end: ${converted.error?.message ?? converted.error ?? 'it gave nothing.'}`,
			again,
		]);
	if (converted.state === '')
		return way('waits', 'Waits', [
			converted.text,
			`You can change minimum_rate (now ${minimum_rate}) in its row in wallet_service_deposits. ${cancel}`,
		]);
	if (converted.state !== 'converted')
		return way(
			`conversion ${converted.state} ${converted.why ?? ''}`.trim(),
			converted.state === 'unknown' ? 'LOOK IT UP' : 'Not converted',
			[
				converted.text,
				converted.state === 'unknown' ? 'Nothing is sent for it before that.' : `${again} ${cancel}`,
			],
		);

	const sum = payable(converted.to_amount, places);
	const rest = sum && short(subtract(converted.to_amount, sum));
	const lines = [
		converted.text,
		...(/[1-9]/.test(rest)
			? [`${rest} ${to_currency} stay in the wallet: a payout has ${places} decimal places.`]
			: []),
	];
	const result = paid?.result;
	if (['paid', 'alreadyPaid'].includes(result))
		return way(
			'paid',
			'Paid to the bank',
			[...lines, `Paid ${sum} ${to_currency} to ${pay_to}${paid?.payoutId ? `, as ${paid.payoutId}` : ''}.`],
			{
				...{ state: 'paid', payout_id: paid?.payoutId ?? '', paid_amount: sum },
			},
		);
	const why = [paid?.error?.message ?? paid?.error, paid?.message].filter((text) => text).join(' ');
	return ['notSent', 'rejected'].includes(result)
		? way('not paid', 'Converted, not paid', [
				...lines,
				`Not paid: ${sum} ${to_currency} to ${pay_to}. ${why}`,
				`${again} ${cancel}`,
			])
		: way('payout unknown', 'LOOK IT UP', [
				...lines,
				`It is not known if ${sum} ${to_currency} were paid to ${pay_to}. ${why}`,
				`The row ${deposit_id} in wallet_service_book shows it. Nothing is sent for it before that.`,
			]);
}

/**
 * Where this deposit is now.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	const converted = $('Convert').first().json;
	const isPaid = converted.state === 'converted' && !converted.error;
	const deposit = $('Claim').first().json;
	const way = wayOf(
		deposit,
		converted,
		isPaid ? $('Pay once').first().json : undefined,
		$('Settings').first().json.payoutPlaces,
	);
	return [{ json: { ...way, deposit_id: deposit.deposit_id, isNew: way.told !== deposit.told } }];
}
