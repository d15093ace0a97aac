import { compare, cut, divide, multiply, short } from './arithmetic.js';
import { add, placesOf, subtract } from './decimal.js';
import { sameKey } from './paymentKey.js';

/** @param {unknown} text */
export const isAmount = (text) => /^\d{1,30}(\.\d{1,30})?$/.test(String(text)) && /[1-9]/.test(String(text));

/**
 * What one unit brings after the fee. The fee is a ratio: 0.005 is half a percent.
 * @param {Contract} contract
 * @param {Pick<ConversionSettings, 'feeIs'>} settings
 */
export const rateAfterFee = ({ rate, fee }, { feeIs }) =>
	feeIs === 'included' ? rate : multiply(rate, subtract('1', fee));

/**
 * The most that a contract can still convert, with no more decimal places than the order has.
 * @param {Contract} contract
 * @param {Pick<ConversionSettings, 'availableIn'>} settings
 * @param {number} places
 */
export const roomOf = ({ amountAvailable, rate }, { availableIn }, places) =>
	availableIn === 'to' ? divide(amountAvailable, rate, places) : cut(amountAvailable, places);

/**
 * The contracts that an order may use, the best after its fee first. What cannot be read is not used.
 * @param {Pick<Order, 'from_currency' | 'to_currency' | 'minimum_rate'>} order
 * @param {Contract[]} contracts
 * @param {PublishedRate[]} rates
 * @param {ConversionSettings} settings
 */
export function goodContracts(order, contracts, rates, settings) {
	const isSame = (/** @type {unknown} */ given, /** @type {string} */ code) =>
		String(given).trim().toUpperCase() === code;
	const bids = rates
		.filter(
			({ baseCurrency, quoteCurrency }) =>
				isSame(baseCurrency, order.from_currency) && isSame(quoteCurrency, order.to_currency),
		)
		.map(({ bid }) => bid);
	const isGood = (/** @type {string} */ rate) =>
		compare(rate, order.minimum_rate) >= 0 &&
		bids.every(
			(bid) => isAmount(bid) && compare(rate, multiply(bid, subtract('1', settings.mostBelowBid))) >= 0,
		);
	return contracts
		.filter(
			({ contractId, from, to, rate, fee, amountAvailable, direction }) =>
				contractId &&
				isSame(from, order.from_currency) &&
				isSame(to, order.to_currency) &&
				String(direction).toLowerCase() === settings.direction.toLowerCase() &&
				isAmount(rate) &&
				isAmount(amountAvailable) &&
				/^0(\.\d{1,30})?$/.test(fee),
		)
		.filter((contract) => isGood(rateAfterFee(contract, settings)))
		.sort(
			(a, b) =>
				compare(rateAfterFee(b, settings), rateAfterFee(a, settings)) ||
				compare(b.amountAvailable, a.amountAvailable),
		);
}

/**
 * Splits an amount over contracts in their order. `left` is what they cannot convert.
 * @param {string} amount
 * @param {Contract[]} contracts
 * @param {ConversionSettings} settings
 */
export function split(amount, contracts, settings) {
	let left = amount;
	/** @type {Array<{ contract: Contract, amount: string }>} */
	const parts = [];
	for (const contract of contracts) {
		const room = roomOf(contract, settings, placesOf(amount));
		const part = compare(room, left) < 0 ? room : left;
		if (!isAmount(part)) continue;
		parts.push({ contract, amount: short(part) });
		left = subtract(left, part);
	}
	return { parts, left: short(left) };
}

/** @param {string[]} amounts */
export const sumOf = (amounts) => short(amounts.reduce((a, b) => add(a, b), '0'));

/**
 * What is wrong with the settings, or ''.
 * @param {ConversionSettings} settings
 */
export function problemOfSettings({ feeIs, availableIn, direction, mostBelowBid }) {
	if (!['takenOff', 'included'].includes(feeIs)) return 'In Settings, feeIs must be takenOff or included.';
	if (!['from', 'to'].includes(availableIn)) return 'In Settings, availableIn must be from or to.';
	if (!direction) return 'In Settings, direction is empty.';
	if (!/^0(\.\d{1,30})?$/.test(mostBelowBid))
		return 'In Settings, mostBelowBid must be a number below 1, such as 0.01.';
	return '';
}

/**
 * What to do next for an order. It reads only what the service and the table say, so a run that was killed goes on where it ended.
 * @param {{ order: Order, conversions: Conversion[], contracts: Contract[], rates: PublishedRate[], settings: ConversionSettings,
 *   unread: string, balance: string, now: string }} known
 * @returns {NextStep}
 */
export function nextStep({ order, conversions, contracts, rates, settings, unread, balance, now }) {
	const { order_number, from_currency, to_currency, from_amount, minimum_rate, valid_until } = order;
	const done = [
		...new Map(
			conversions.filter(({ state }) => state === 'converted').map((row) => [row.payment_key, row]),
		).values(),
	];
	const has = (/** @type {Conversion[]} */ rows, /** @type {string} */ key) =>
		rows.some((row) => row.payment_key === key);
	const numberOf = (/** @type {Conversion} */ row) => Number(row.payment_key.split('/').at(-1));
	// Two executions at the same instant may make two rows of one key.
	const others = conversions.filter((row) => !has(done, row.payment_key));
	// What a person said was not converted, and another part has replaced.
	const given = others.filter(
		(row) => row.settle === 'wasNotConverted' && conversions.some((other) => numberOf(other) > numberOf(row)),
	);
	const open = others.find((row) => !has(given, row.payment_key));
	const from = sumOf(done.map((row) => row.from_amount));
	const to = sumOf(done.map((row) => row.to_amount));
	const list = done.map(
		(row) =>
			`${row.from_amount} ${from_currency} to ${row.to_amount} ${to_currency} by ${row.contract_id} at ${short(divide(row.to_amount, row.from_amount, 12))}, as ${row.transaction_id}`,
	);
	const wanted = `The wanted rate is ${minimum_rate} or more.`;
	const isBelow = (/** @type {Conversion} */ row) =>
		compare(row.to_amount, multiply(row.from_amount, minimum_rate)) < 0;
	const below = done.some(isBelow) ? ' THE APPLIED RATE IS BELOW THE WANTED RATE.' : '';

	/** @type {(state: string, note: string, why?: string) => NextStep} */
	const end = (state, note, why = '') => ({
		next: 'end',
		order_number,
		from_currency,
		to_currency,
		from_amount,
		state,
		note,
		why,
		to_amount: done.length > 0 ? to : '',
		rate: done.length > 0 ? short(divide(to, from, 12)) : '',
		transaction_id: done.map((row) => row.transaction_id).join(', '),
		text: [
			state === 'converted'
				? `Converted ${from_amount} ${from_currency} to ${to} ${to_currency}. ${wanted}${below}`
				: `${state ? `Not converted (${state})` : 'Waits'}: ${from_amount} ${from_currency} to ${to_currency}, order ${order_number}. ${note}${below}`,
			...(state !== 'converted' && done.length > 0 ? [`${from} ${from_currency} of it are converted.`] : []),
			...list.map((line) => `- ${line}`),
		].join('\n'),
	});
	/** @type {(what: 'convert' | 'look', row: Conversion) => NextStep} */
	const go = (what, row) => ({
		next: what,
		id: row.id,
		payment_key: row.payment_key,
		contract_id: row.contract_id,
		from_amount: row.from_amount,
		from_currency,
		to_currency,
		transaction_id: row.transaction_id ?? '',
		decision: row.settle ? 'wasNotPaid' : 'doNotPay',
	});

	const problem = order.problem || problemOfSettings(settings);
	if (problem) return end('failed', problem);
	if (
		conversions.some(
			(row) =>
				row.from_currency !== from_currency ||
				row.to_currency !== to_currency ||
				compare(row.order_amount, from_amount) !== 0,
		) ||
		compare(from, from_amount) > 0
	)
		return end('failed', 'This order number was used for another order. Give this one another number.');
	if (compare(from, from_amount) === 0) return end('converted', below.trim());

	const left = subtract(from_amount, from);
	const good = goodContracts(order, contracts, rates, settings);
	const best = split(left, good, settings);
	const tooOld = valid_until !== '' && valid_until < now;
	const fits = (/** @type {Conversion} */ row) =>
		!tooOld &&
		good.some(
			(contract) =>
				contract.contractId === row.contract_id &&
				compare(roomOf(contract, settings, placesOf(from_amount)), row.from_amount) >= 0,
		);
	const waits = unread
		? `${unread} It is tried again at the next run.`
		: good.length === 0
			? `No contract gives ${minimum_rate} or more after its fee. It is tried again at the next run.`
			: `The contracts with this rate cannot convert ${short(best.left)} ${from_currency} of it. It is tried again at the next run.`;

	if (open) {
		const key = open.payment_key;
		/** @type {(why: string) => NextStep} */
		const ask = (why) =>
			end(
				'unknown',
				[
					`It is not known if ${key} was converted: ${open.from_amount} ${from_currency} by ${open.contract_id}, begun by execution ${open.execution}. ${why}`,
					open.balance_before || balance
						? `The ${to_currency} balance was ${open.balance_before || 'not read'} before it and is ${balance || 'not read'} now. This conversion brings at least ${short(multiply(open.from_amount, open.minimum_rate))}.`
						: '',
					`Look it up at the service. If it was converted, write its ID into the column transaction_id of the row ${key} in wallet_service_conversions. If it was not, write wasNotConverted into its column settle.${order.isCalled ? '' : ' Then empty the state of the order.'}`,
				]
					.filter((line) => line)
					.join(' '),
				why,
			);
		const isOurs = open.execution === settings.execution;
		if (open.transaction_id) return go('look', open);
		if (open.settle) {
			if (open.settle !== 'wasNotConverted') return ask(`The column settle says '${open.settle}'.`);
			if (fits(open)) return go('convert', open);
		} else {
			if (open.state === 'unknown') return ask(open.note ?? '');
			if (isOurs && open.note) return end(open.note.startsWith('Dry run') ? '' : 'failed', open.note);
			// A run that ended here may have sent it. Only the same request under its key can tell.
			if (open.state === 'sending' && !fits(open))
				return unread && !tooOld
					? end('', waits)
					: ask('n8n ended while this was sent, and its contract does not fit any more.');
			if (open.state === 'sending' || (!open.note && fits(open))) return go('convert', open);
		}
	}
	if (tooOld) return end('expired', `It was valid until ${valid_until}.`);
	if (below)
		return end(
			'stopped',
			'The rest is not converted. If the applied rate is good enough, write it into minimum_rate.',
		);
	const [part] = best.parts;
	// The first key that is free. A row may be gone, and its key still tells that its part was converted.
	const used = [...done, ...given, ...(open?.settle ? [open] : [])];
	let number = 1;
	while (has(used, `${order_number}/${number}`)) number += 1;
	if (unread || !part || compare(best.left, '0') !== 0) return end('', waits);
	return {
		next: 'plan',
		payment_key: `${order_number}/${number}`,
		contract_id: part.contract.contractId,
		from_amount: part.amount,
		from_currency,
		to_currency,
		order_number,
		order_amount: from_amount,
		minimum_rate,
		balance_before: balance,
	};
}

/**
 * What the row of a conversion says after the service was asked.
 * @param {NextStep} step
 * @param {Record<string, any>} answer
 * @param {number} sameTransaction rows with this transaction
 * @returns {Partial<Conversion> & { rate: string }}
 */
export function whatHappened(step, answer, sameTransaction) {
	const nothing = { transaction_id: '', to_amount: '', rate: '', settle: '', note: '' };
	const error = answer.error;
	const message = [error?.message ?? error, error?.description].filter((text) => text).join('. ');
	const isSame = (/** @type {unknown} */ amount) =>
		isAmount(amount) && compare(String(amount), step.from_amount ?? '') === 0;
	const { transactionId = '', toAmount = '', status = '' } = answer;
	const is = (/** @type {string} */ word) => String(status).toLowerCase() === word;
	if (step.next === 'look') {
		const given = step.transaction_id ?? '';
		const why = error
			? `The transaction ${given} cannot be read: ${message}`
			: sameTransaction > 1
				? `The transaction ${given} is in another row, too.`
				: !isSame(answer.fromAmount) ||
					  answer.fromCurrency !== step.from_currency ||
					  answer.toCurrency !== step.to_currency
					? `The transaction ${given} is another conversion.`
					: !is('completed') || !isAmount(toAmount)
						? `The transaction ${given} has the status ${status}, not completed.`
						: '';
		return why
			? { ...nothing, state: 'unknown', note: why }
			: {
					...nothing,
					state: 'converted',
					transaction_id: given,
					to_amount: toAmount,
					rate: short(divide(toAmount, String(answer.fromAmount), 12)),
				};
	}
	switch (answer.result) {
		case 'paid':
			return is('success') &&
				transactionId &&
				isAmount(toAmount) &&
				isSame(answer.fromAmount ?? answer.amount)
				? {
						...nothing,
						state: 'converted',
						transaction_id: transactionId,
						to_amount: toAmount,
						rate: answer.rate ?? '',
					}
				: {
						...nothing,
						state: 'unknown',
						note: `The service answered with the status '${status}' and ID '${transactionId}'.`,
					};
		case 'alreadyPaid':
			return {
				...nothing,
				state: 'unknown',
				note: 'It was converted, but n8n ended before it wrote the amount.',
			};
		case 'dryRun':
			return { ...nothing, state: 'planned', note: 'Dry run: nothing was sent.' };
		case 'notSent':
		case 'rejected':
			return { ...nothing, state: 'planned', note: message || 'It was not sent.' };
		default:
			return { ...nothing, state: 'unknown', note: message };
	}
}

/** @param {unknown} text */
const plain = (text) => String(text ?? '').trim();

/**
 * An order as a person or a workflow wrote it, with what is wrong with it. A time in the past is no problem.
 * @param {Record<string, unknown>} row
 * @param {(text: string) => string} toTime a time in UTC, or '' if it is none
 * @returns {Order}
 */
export function readOrder(row, toTime) {
	const order = {
		order_number: sameKey(plain(row.order_number)),
		from_currency: plain(row.from_currency).toUpperCase(),
		to_currency: plain(row.to_currency).toUpperCase(),
		from_amount: plain(row.from_amount),
		minimum_rate: plain(row.minimum_rate),
		valid_until: plain(row.valid_until) && toTime(plain(row.valid_until)),
	};
	const isText = ['order_number', 'from_amount', 'minimum_rate'].every((key) => typeof row[key] !== 'number');
	const problem = !isText
		? 'order_number, from_amount and minimum_rate must be text, so that no digit is lost.'
		: !/^[!-~]([ -~]{0,98}[!-~])?$/.test(order.order_number)
			? 'The order_number must have 1 to 100 letters, digits or signs.'
			: !order.from_currency || !order.to_currency
				? 'from_currency or to_currency is empty.'
				: !isAmount(order.from_amount)
					? 'The from_amount is not a number such as 1250.50.'
					: !isAmount(order.minimum_rate)
						? 'The minimum_rate is not a number such as 1540.25.'
						: plain(row.valid_until) && !order.valid_until
							? 'The valid_until is not a time such as 2026-12-31 18:00.'
							: '';
	return {
		...order,
		from_amount: isAmount(order.from_amount) ? short(order.from_amount) : order.from_amount,
		problem,
	};
}
