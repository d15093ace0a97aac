/** The words that a column of amounts may have in its name, in several languages, without accents. A table: no logic. */
import { addTo } from '../../values/groups.ts';

const wordsIn = (...lines: string[]): string[] => lines.flatMap((line) => line.split(' '));

/** Parts and multiples of a currency or coin, of which nothing else is counted: 125050 kobo would be paid as 125050 NGN. */
export const UNITS_OF_MONEY = new Set(
	wordsIn(
		'kobo pesewa pesewas cents cts centavo centavos centimes centesimi pence paise paisa piasters',
		'fils agorot ngwee tambala grosz groszy grosze haler halere kopeks kurus øre',
		'satoshi satoshis sats msat gwei wei lamport lamports drops stroops lovelace',
		'thousand thousands million millions billion billions lakh lakhs lac lacs crore crores mio mln',
		'tausend tsd millionen milliers milhares migliaia duizend tusen ribu juta',
	),
);

/** Words that say another unit beside an amount, and elsewhere something else. */
export const UNITS = new Set([
	...UNITS_OF_MONEY,
	...wordsIn(
		'cent centime ore sen tiyin minor subunit subunits unit units sat raw bits hundreds dozens',
		'k m mn bn mille miles mil tys bin percent %',
	),
]);

/** Words for an amount or a currency. Others may stand before one: `Auszahlungsbetrag`, `Hauswährung`. */
export const AMOUNT_WORDS = wordsIn('amount betrag bedrag belopp summe summa wahrung');

/** What says of which amount, and changes nothing in what it counts. */
export const NEUTRAL = new Set(
	wordsIn(
		'amounts amt sum total totals value price cost costs fee fees salary salaries wage wages bonus rent loan',
		'payment payments payout payouts pay payable paid payroll invoice inv bill billing order purchase transfer',
		'credit debit disbursement settlement remittance commission refund deposit withdrawal expense claim line',
		'due owed outstanding open remaining balance net gross netto brutto nett incl excl including excluding inc exc',
		'with without after before of and or to be in for per by the a an is from this our your their',
		'vat tax taxes wht withholding gst tva ttc ht mwst ust iva btw kdv ppn discount deductions',
		'final approved requested original actual agreed full local foreign home base transaction document doc',
		'trans txn loc sub grand basic take reimbursement receives gets no nr quantity qty tokens diem allowance',
		'lc lcy fcy hw bw tw source target sent received residual untaxed taxable monthly weekly daily',
		'beneficiary supplier vendor payee recipient receiver employee staff customer client account bank',
		'us nigerian currency ccy curr coin coins token crypto fiat cash whole exact decimal number text col column',
		'wert zahlung rechnung gesamt offen offener offene montant virement solde somme valeur paiement',
		'facture importe monto suma valor pago factura',
		'importo somma pagamento fattura quantia montante liquido som totaal totale waarde betaling openstaand te',
		'beløb kwota wartosc zapłaty att betala odenecek bayar сумма оплате к 金額 金额',
		'tutar miktar toplam jumlah nominal jml nilai osszeg castka zu zahlen der die das und',
		'de du des le la les en el los del al et y o di il lo da do payer pagar pagare apagar betalen a',
	),
);

/** Words for the price of one piece or hour, unless a word for a total is beside them. */
export const PRICES = new Set(wordsIn('price rate preis prix precio prezzo prijs'));
export const TOTALS = new Set(wordsIn('total totals sum line gesamt totale totaal'));

/** How people name currencies and coins. One name may stand for several. `$`: of any dollar. */
const NAMES_OF_CODES: Readonly<Record<string, string>> = {
	$: 'dollar dollars $',
	EUR: 'euro euros €',
	GBP: 'pound pounds sterling £',
	EGP: 'pound pounds £',
	NGN: 'naira n ₦',
	GHS: 'cedi cedis ₵',
	ZAR: 'rand r',
	KES: 'shilling shillings ksh kshs',
	UGX: 'shilling shillings ush ugsh',
	TZS: 'shilling shillings tsh',
	SOS: 'shilling shillings',
	XOF: 'franc francs cfa fcfa',
	XAF: 'franc francs cfa fcfa',
	CHF: 'franc francs',
	RWF: 'franc francs',
	BIF: 'franc francs',
	GNF: 'franc francs',
	CDF: 'franc francs',
	ETB: 'birr',
	GMD: 'dalasi',
	ZMW: 'kwacha',
	MWK: 'kwacha',
	INR: 'rupee rupees rs ₹',
	PKR: 'rupee rupees rs',
	LKR: 'rupee rupees rs',
	NPR: 'rupee rupees rs',
	JPY: 'yen ¥',
	CNY: 'yuan rmb ¥',
	KRW: 'won ₩',
	THB: 'baht ฿',
	VND: 'dong ₫',
	IDR: 'rupiah rp',
	PHP: 'peso pesos ₱',
	MXN: 'peso pesos $',
	ARS: 'peso pesos $',
	COP: 'peso pesos $',
	CLP: 'peso pesos $',
	BRL: 'reais r$',
	TRY: 'lira tl ₺',
	RUB: 'ruble ₽',
	UAH: '₴',
	ILS: '₪',
	PLN: 'zloty zl',
	AED: 'dirham dirhams',
	MAD: 'dirham dirhams',
	SAR: 'riyal',
	QAR: 'riyal',
	SEK: 'kr krona kronor',
	NOK: 'kr krone kroner',
	DKK: 'kr krone kroner',
	ISK: 'kr krona',
	BTC: 'bitcoin ₿',
	ETH: 'ether ethereum',
	USDT: 'tether',
};

/** The codes by name. */
export const CODES_OF_NAMES = new Map<string, string[]>();
for (const [code, names] of Object.entries(NAMES_OF_CODES))
	for (const name of names.split(' ')) addTo(CODES_OF_NAMES, name, code);

/** Coins that a name may say, beside those of the list. */
export const COINS = new Set(
	wordsIn(
		'USDT USDC DAI BUSD TUSD PYUSD EURC BTC ETH XRP BNB SOL TRX XLM LTC ADA DOGE DOT MATIC POL AVAX TON BCH',
	),
);
