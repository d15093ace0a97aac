import { itemsOf } from './nodeItems.js';

/**
 * The balance of each asset, or why it cannot be read. One node reads those of fiat money and another one those of coins.
 * @param {N8n['$']} $
 * @param {Array<{ isFiat: boolean }>} assets
 */
export const balancesOf = ($, assets) =>
	assets.map(({ isFiat }, index) => {
		const before = assets.slice(0, index).filter((each) => each.isFiat === isFiat).length;
		const { balance, error } = itemsOf($, isFiat ? 'Fiat balance' : 'Coin balance')[before] ?? {};
		return {
			balance: balance === undefined ? undefined : String(balance),
			problem: error ? String(error.message ?? error) : '',
		};
	});
