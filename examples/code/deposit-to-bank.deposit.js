import { isAmount } from './conversion.js';
import { short, compare } from './arithmetic.js';
import { subtract } from './decimal.js';
import { isFailure } from './status.js';

/**
 * Whether this deposit goes to the bank. `next` is add, go on, tell (a person must look) or nothing.
 * @param {Record<string, unknown>} event
 * @param {WaySettings} settings
 * @param {Deposit[]} known rows of this deposit
 */
export function readDeposit(event, settings, known) {
	const { id, status, walletAlias, coin, amount, raw, feeCoin = '' } = event;
	// The trigger leaves out a fee that it cannot read.
	const { fee = /** @type {Record<string, unknown> | undefined} */ (raw)?.fee ?? '' } = event;
	const wallets = settings.wallets.split(',').map((name) => name.trim());
	/** @param {string} why */
	const nothing = (why) => ({ next: 'nothing', text: `${why} Nothing was converted or paid.` });
	/** @param {string} why */
	const tell = (why) => ({
		next: 'tell',
		subject: 'A deposit does not go to the bank',
		text: `The deposit ${id ?? 'without ID'} of ${amount ?? 'no amount'} ${coin ?? ''} for ${walletAlias} does not go to the bank. ${why} Look it up at the service.`,
	});

	if (!wallets.includes(String(walletAlias)) || !walletAlias)
		return nothing(`This deposit is for the wallet ${walletAlias}, which is not in Settings.`);
	if (coin !== settings.coin.trim().toUpperCase())
		return nothing(`This deposit is in ${coin}. Settings has the coin ${settings.coin}.`);
	if (isFailure(status) && known.length > 0)
		return tell(
			`It was taken on its way before, and has the status ${status} now. To stop it, write cancelled into the column state of its row in wallet_service_deposits.`,
		);
	if (String(status).toLowerCase() !== 'successful')
		return nothing(`This deposit has the status ${status}, not successful.`);
	if (typeof id !== 'string' || !/^[!-~]{1,80}$/.test(id)) return tell('Its ID cannot be used as a key.');
	if (!isAmount(amount)) return tell('Its amount cannot be read.');
	if (!['takenOff', 'included'].includes(settings.depositFee))
		return tell('In Settings, depositFee must be takenOff or included.');
	if (!isAmount(settings.minimumRate))
		return tell('In Settings, minimumRate must be a number such as 1540.25.');
	if (!/^\d$/.test(settings.payoutPlaces))
		return tell('In Settings, payoutPlaces must be a number from 0 to 9.');

	const hasFee = settings.depositFee === 'takenOff' && fee !== '' && !/^[0.]+$/.test(String(fee));
	if (hasFee && (!isAmount(fee) || (feeCoin && feeCoin !== coin)))
		return tell(`Its fee ${fee} ${feeCoin} cannot be taken off.`);
	const rest = hasFee ? subtract(String(amount), String(fee)) : String(amount);
	if (compare(rest, '0') <= 0) return tell('Its fee is as high as its amount.');
	const row = {
		deposit_id: id,
		wallet: walletAlias,
		coin,
		amount: short(rest),
		to_currency: settings.toCurrency,
		pay_to: settings.payTo,
		minimum_rate: settings.minimumRate,
	};
	if (known.length === 0) return { next: 'add', ...row };
	return known.every(
		(each) => each.amount === row.amount && each.coin === coin && each.wallet === walletAlias,
	)
		? { next: 'go on', deposit_id: id }
		: tell(`An earlier event with this ID has ${known[0].amount} ${known[0].coin} for ${known[0].wallet}.`);
}

/**
 * The deposit that arrived. At the time of the schedule: none, so all open ones.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	const settings = $('Settings').first().json;
	const known = $input
		.all()
		.map((item) => item.json)
		.filter(({ id }) => id);
	const trigger = [$('Deposit arrives'), $('When called')].find((node) => node.isExecuted);
	if (!trigger) return [{ json: { next: 'go on', deposit_id: '%' } }];
	const arrived = trigger.all().map((item) => item.json);
	if (arrived.length !== 1)
		throw new Error('Hand over one deposit at a time. Nothing was converted or paid.');
	return [{ json: readDeposit(arrived[0], settings, known) }];
}
