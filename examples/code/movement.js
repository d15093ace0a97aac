/** @param {unknown} text */
export const isDecimal = (text) => typeof text === 'string' && /^-?\d{1,60}(\.\d{1,60})?$/.test(text);

/** @param {string} amount */
export const negate = (amount) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);

/**
 * The fields of each kind of event: kind of movement, asset, from whom or to whom, and the sign.
 * @type {Record<string, (event: any) => { kind: string, asset: unknown, counterpart: unknown, isOut?: boolean }>}
 */
const KINDS = {
	virtual_account_credited: ({ currency, accountAlias, senderAccountName }) => ({
		kind: 'deposit',
		asset: currency,
		counterpart: [senderAccountName, accountAlias].filter(Boolean).join(' to '),
	}),
	crypto_received: ({ coin, walletAlias }) => ({
		kind: 'coin deposit',
		asset: coin,
		counterpart: walletAlias,
	}),
	crypto_payout_update: ({ coin, walletAlias }) => ({
		kind: 'coin payout',
		asset: coin,
		counterpart: walletAlias,
		isOut: true,
	}),
	admin_funding: ({ asset, direction }) => ({
		kind: `admin ${direction === 'debit' ? 'debit' : 'credit'}`,
		asset,
		counterpart: 'an administrator',
		isOut: direction === 'debit',
	}),
};

/** @param {unknown} value */
const text = (value) => (value === undefined || value === null ? '' : String(value).trim());

/**
 * What an event moves: a row, and why it cannot be booked as it is, if so.
 * @param {any} event
 * @returns {Array<Movement & { problem: string }>}
 */
export function movementsOf(event) {
	const { event: name, id, status, receivedAt, deliveryKey, direction, raw } = event;
	const time = text(receivedAt) || new Date().toISOString();
	const reference = text(id);
	const common = { time, reference, status: text(status).toLowerCase() };
	const read = KINDS[name];
	if (!read) return [];
	const { kind, asset, counterpart, isOut = false } = read(event);
	const amount = text(event.amount);
	const isSigned = isOut && amount.startsWith('-');
	const problem = !isDecimal(amount)
		? `the amount cannot be read: ${JSON.stringify(raw?.Amount ?? raw?.['Amount sent'] ?? null)}`
		: isSigned
			? `the amount ${amount} has a sign, and money that goes out has none`
			: !text(asset)
				? 'it names no currency or coin'
				: name === 'admin_funding' && !['credit', 'debit'].includes(direction)
					? 'it does not say credit or debit'
					: name === 'crypto_payout_update' && !reference
						? 'it has no ID of a payout'
						: '';
	return [
		{
			...common,
			key: text(deliveryKey) || `${name}:${reference}:${common.status}`,
			kind,
			asset: text(asset).toUpperCase(),
			amount: problem ? '' : isOut ? negate(amount) : amount,
			counterpart: text(counterpart),
			txHash: text(event.txHash),
			fee: isDecimal(text(event.fee)) ? text(event.fee) : '',
			feeAsset: text(event.feeCoin || asset).toUpperCase(),
			sentAmount: name === 'crypto_payout_update' && !problem ? amount : '',
			problem,
		},
	];
}

/**
 * A conversion as the book has it: what goes out, and what comes in. One that is planned may be sent at any time.
 * @param {Record<string, any>} row of the table of conversions
 */
export function movementsOfConversion({ payment_key, state, note, settle, updatedAt, execution, ...row }) {
	const isDone = state === 'converted';
	const isOut = settle === 'wasNotConverted' || (state === 'planned' && text(note) !== '');
	const result = isDone ? 'paid' : isOut ? 'notSent' : 'unknown';
	const sides = [
		{ asset: text(row.from_currency), amount: negate(text(row.from_amount)) },
		{ asset: text(row.to_currency), amount: isDone ? text(row.to_amount) : '' },
	];
	return sides.map(({ asset, amount }) => ({
		...{ key: `conversion:${payment_key}:${asset}`, time: updatedAt, kind: 'conversion', asset, amount },
		...{ counterpart: text(row.contract_id), reference: text(payment_key), result, execution },
		...{ status: isDone ? 'successful' : result, txHash: text(row.transaction_id) },
		...{ fee: '', feeAsset: '', sentAmount: '' },
	}));
}
