/**
 * Ten mornings, with verdicts worked out by hand. Each shows what a reader of nodes/WalletServiceDesk/book can predict:
 *
 *     difference = balance now - (last balance + what the rows since then should have moved)
 *
 * The last balance is 1000 on each of them.
 */
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import type { Verdict } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import { at, coinPayout, deposit, fiat, LOST, mornings, payout, row, update, usdt } from './proofMornings.ts';
import type { Morning } from './proofMornings.ts';

/** The same in each row of this file that needs a payout in coins. */
const COINS = coinPayout({ key: 'CRYPTO-1', amount: '20', reference: 'po_1' });

const conversion = (asset: string, amount: string): BookRow =>
	row({
		...{
			key: `conversion FX-1 ${amount.startsWith('-') ? 'out' : 'in'}`,
			kind: 'conversion',
			time: at(0, 60),
		},
		...{ asset, amount, counterpart: 'ic_1', reference: 'itx_1', result: 'paid', status: 'successful' },
	});

const TEN: Array<
	[name: string, morning: Morning, expected: { verdict: Verdict; booked: string; difference: string }]
> = [
	[
		// 1000 + 100 - 40 = 1060.
		'a deposit of 100 and a payout of 40: all is in the rows',
		fiat('1060.00', deposit(), payout()),
		{ verdict: 'proved', booked: '60', difference: '0' },
	],
	[
		// 1000 - 20 - 0.5 = 979.5: the fee of a payout in coins comes on top, and its update tells it.
		'a payout of 20 in coins with its fee',
		usdt('979.5', COINS, update(COINS)),
		{ verdict: 'proved', booked: '-20.5', difference: '0' },
	],
	[
		// What is unknown does not count: 1000 - 40 is 960 by itself, and only this payment has the 40.
		'a payout without an answer, and its 40 are gone',
		fiat('960.00', payout(LOST)),
		{ verdict: 'explained', booked: '0', difference: '-40.00' },
	],
	[
		// What is unknown does not count, and nothing has moved.
		'a payout without an answer, and its 40 are there',
		fiat('1000.00', payout(LOST)),
		{ verdict: 'proved', booked: '0', difference: '0' },
	],
	[
		// 1000 + 100 = 1100 in the balance, and no row says so.
		'a deposit whose event did not come',
		fiat('1100.00'),
		{ verdict: 'NOT EXPLAINED', booked: '0', difference: '100.00' },
	],
	[
		// 1000 - 20 - 0.5: only an update tells of it, and updates without a payment do not count.
		'a payout in coins that nobody here made',
		usdt('979.5', update(COINS)),
		{ verdict: 'explained', booked: '0', difference: '-20.5' },
	],
	[
		// The row says paid an hour after the last proof, so 960 is due. The 40 are still there.
		'a payout that is paid by its row, and whose 40 never left',
		fiat('1000.00', payout()),
		{ verdict: 'explained', booked: '-40', difference: '40.00' },
	],
	[
		// The same, five minutes ago: with 60 minutes, that is under way.
		'a payout of five minutes ago, whose 40 have not left yet',
		fiat('1000.00', payout({ time: at(1, -5) })),
		{ verdict: 'under way', booked: '-40', difference: '40.00' },
	],
	[
		// 1000 - 20 when it was made, + 20 when it failed.
		'a payout in coins that failed and came back',
		usdt('1000', COINS, update(COINS, { status: 'failed', fee: '' })),
		{ verdict: 'proved', booked: '0', difference: '0' },
	],
	[
		// 1000 - 100. The other side of the conversion is in another asset.
		'a conversion of 100 USDT into 154,000 NGN, by its coins',
		usdt('900', conversion('USDT', '-100'), conversion('NGN', '154000')),
		{ verdict: 'proved', booked: '-100', difference: '0' },
	],
];

test.each(TEN)('%s', (_name, morning, expected) => {
	const [proof] = mornings(morning);
	expect(proof).toMatchObject(expected);
});

test('two mornings: what waited counts when its row says that it was paid', () => {
	const lost = payout(LOST);
	// On the first, the 40 are there: it waits. Then a person pays it, and 960 is due.
	const [first, second] = mornings(fiat('1000.00', lost), fiat('960.00', { ...lost, result: 'paid' }));
	expect([first.verdict, second.verdict, second.booked]).toEqual(['proved', 'proved', '-40']);
});
