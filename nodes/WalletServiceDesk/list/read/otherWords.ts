/** What people and programs write into columns that have no meaning here, where it says that a row is no payout. A table: no logic. */

const phrasesIn = (...lines: string[]): string[] => lines.flatMap((line) => line.split(', '));

/** It is no payout any more, or must wait. `payment cancelled` and `ON_HOLD` are read, too. */
export const TAKEN_BACK = phrasesIn(
	'cancelled, canceled, cancel, void, voided, on hold, hold, do not pay, stopped, suspended, blocked, disputed',
	'in dispute, paid, already paid, fully paid, paid in full, refund, refunded, reversed, credit note, credit memo',
	'storniert, bezahlt, gesperrt, gutschrift, annulé, annulée, payé, payée, avoir, anulado, cancelado, pagado',
	'annullato, pagato, geannuleerd, betaald, settled, already settled, paid out, written off, duplicate',
	'vendor credit, supplier credit, success, successful, succeeded, in transit, in payment',
);

/** The same in a column that says how a payment stands. Elsewhere, they may be said of the work that is paid for. */
export const PAYMENT_DONE = phrasesIn(
	'completed, complete, processed, processing, sent, done, executed, disbursed, in progress, initiated, submitted',
);

/** Such a column has a word of each list in its name. */
export const PAYMENT_STATUS: ReadonlyArray<readonly string[]> = [
	['payment', 'payout', 'transfer', 'transaction', 'disbursement'],
	['status', 'state'],
];

/** Nobody has said yes to it, or somebody has said no. */
export const NOT_APPROVED = phrasesIn(
	'rejected, declined, denied, refused, disapproved, failed, draft, not approved, unapproved, not authorised',
	'not authorized, pending approval, pending review, pending authorisation, pending authorization',
	'awaiting approval, waiting for approval, needs approval, to be approved, for approval, under review, in review',
	'abgelehnt, entwurf, fehlgeschlagen, nicht freigegeben, nicht genehmigt, rejeté, rejetée, refusé, refusée',
	'brouillon, échoué, rechazado, rechazada, borrador, fallido, pendiente de aprobación, recusado, rejeitado',
	'rascunho, rifiutato, bozza, afgekeurd, afgewezen, concept',
);

/** Names of columns in which anything says that a row was paid, or must wait. */
export const PAID_NAMES = phrasesIn(
	'paid on, paid at, date paid, paid date, payment made on, settled on, amount paid, paid amount',
	'paid to date, already paid, credit applied, credits applied, payments applied, deposit paid, advance paid',
	'payment block, pmnt block, pymt block, payment hold, zahlsperre',
);

/** What such a word may be said of: `Payment cancelled`. */
export const OF_WHAT = ['payment', 'payout', 'transfer', 'invoice', 'bill', 'order', 'transaction', 'status'];

/** Names of columns whose no says that a row is not to be paid. */
export const MUST_BE_YES = phrasesIn(
	'approved, is approved, authorised, authorized, pay, to pay, ok to pay, pay now, release, released, cleared',
	'freigegeben, genehmigt, approuvé, aprobado, aprovado, approvato, goedgekeurd',
);

/** Names of columns that say a currency. */
export const CURRENCY_NAMES = phrasesIn(
	'currency, ccy, curr, cur, currency code, payment currency, payout currency, coin, token, asset, währung',
	'devise, monnaie, moneda, moeda, valuta, para birimi, waluta',
	'coin symbol, token symbol, token type, ticker',
);

/** Names of columns that say it of the payment itself: source, target, or a code. */
export const PAID_CURRENCY_NAMES = phrasesIn(
	'amount currency, currency of amount, payment currency, payout currency, transfer currency',
);

/** Names of columns that say what the amounts are counted in. */
export const UNIT_NAMES = phrasesIn(
	'unit, units, unit of amount, amount unit, amount units, currency unit, amount in, amounts in, denomination',
	'denominated in, scale, multiplier, factor, einheit, unité, unidad, unità, eenheid',
);

/** Names of columns that say how many pieces or hours are paid for. */
export const COUNT_NAMES = phrasesIn(
	'qty, quantity, no of units, number of units, pieces, pcs, hours, days, nights, hours worked, days worked',
	'menge, anzahl, stunden, quantité, cantidad, quantità, quantidade, aantal',
);

/** Names of columns by which a number of digits behind the point is told: 1500000 with 6 decimals is 1.5. */
export const DECIMALS_NAMES = phrasesIn('decimals, decimal, token decimal, token decimals, exponent');

/** What a list says of money that goes out, and of money that came in or has gone: in one list, one of both is no payout. */
export const OPPOSITES: ReadonlyArray<readonly [readonly string[], readonly string[]]> = [
	[
		['debit', 'dr', 'd', 'outgoing', 'out', 'soll', 's', '-'],
		['credit', 'cr', 'c', 'incoming', 'in', 'haben', 'h', '+'],
	],
	[
		phrasesIn(
			'invoice, bill, purchase invoice, vendor invoice, supplier invoice, rechnung, facture, factura, fattura',
		),
		phrasesIn('payment, bill payment, vendor payment, supplier payment, zahlung, paiement, pago, pagamento'),
	],
];
