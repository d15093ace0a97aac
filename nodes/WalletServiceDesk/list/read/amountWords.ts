/** The words that a column of amounts may have in its name, in several languages, without accents. A table: no logic. */

const wordsIn = (...lines: string[]): string[] => lines.flatMap((line) => line.split(' '));

/** Parts and multiples of a currency or coin: 125050 kobo would be paid as 125050 NGN. */
export const UNITS = new Set(
	wordsIn(
		'kobo pesewa pesewas cent cents cts centavo centavos centime centimes centesimi pence paise paisa piasters',
		'fils agorot ngwee tambala grosz groszy haler kopeks kurus øre ore sen tiyin minor subunit subunits unit units',
		'satoshi satoshis sat sats msat gwei wei lamport lamports drops stroops lovelace raw bits mbtc ubtc',
		'thousand thousands million millions billion billions lakh lakhs lac lacs crore crores k m mn mio mln bn',
		'tausend tsd millionen milliers mille miles milhares mil migliaia duizend tusen tys bin ribu juta percent %',
	),
);

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
		'lc lcy fcy hw bw tw source target sent received residual untaxed taxable monthly weekly daily',
		'beneficiary supplier vendor payee recipient receiver employee staff customer client account bank',
		'us nigerian currency ccy curr coin coins token crypto fiat cash whole exact decimal number text col column',
		'wert zahlung rechnung gesamt montant somme valeur paiement facture importe monto suma valor pago factura',
		'importo somma pagamento fattura quantia montante som totaal totale waarde betaling belob kwota suma wartosc',
		'tutar miktar toplam jumlah nominal jml nilai osszeg castka zu zahlen der die das und',
		'de du des le la les en el los del al et y e o di il lo da do payer pagar pagare apagar betalen a',
	),
);

/** Names of currencies, and the codes that each may stand for. */
export const CURRENCY_NAMES: Readonly<Record<string, string>> = {
	...{ naira: 'NGN', n: 'NGN', '₦': 'NGN', cedi: 'GHS', cedis: 'GHS', '₵': 'GHS' },
	...{ dollar: '$', dollars: '$', $: '$', euro: 'EUR', euros: 'EUR', '€': 'EUR' },
	...{ pound: 'GBP EGP', pounds: 'GBP EGP', sterling: 'GBP', '£': 'GBP EGP' },
	...{ rand: 'ZAR', r: 'ZAR', franc: 'XOF XAF CHF RWF BIF GNF CDF', francs: 'XOF XAF CHF RWF BIF GNF CDF' },
	...{ cfa: 'XOF XAF', fcfa: 'XOF XAF', shilling: 'KES UGX TZS SOS', shillings: 'KES UGX TZS SOS' },
	...{
		ksh: 'KES',
		kshs: 'KES',
		ush: 'UGX',
		ugsh: 'UGX',
		tsh: 'TZS',
		kwacha: 'ZMW MWK',
		birr: 'ETB',
		dalasi: 'GMD',
	},
	...{ rupee: 'INR PKR LKR NPR', rupees: 'INR PKR LKR NPR', rs: 'INR PKR LKR NPR', '₹': 'INR' },
	...{ yen: 'JPY', '¥': 'JPY CNY', yuan: 'CNY', rmb: 'CNY', won: 'KRW', '₩': 'KRW', baht: 'THB', '฿': 'THB' },
	...{
		rupiah: 'IDR',
		rp: 'IDR',
		dong: 'VND',
		'₫': 'VND',
		peso: 'MXN PHP ARS COP CLP',
		pesos: 'MXN PHP ARS COP CLP',
	},
	...{ '₱': 'PHP', reais: 'BRL', lira: 'TRY', '₺': 'TRY', tl: 'TRY', ruble: 'RUB', '₽': 'RUB' },
	...{
		dirham: 'AED MAD',
		dirhams: 'AED MAD',
		riyal: 'SAR QAR',
		zloty: 'PLN',
		zl: 'PLN',
		'₴': 'UAH',
		'₪': 'ILS',
	},
	...{ kr: 'SEK NOK DKK ISK', krona: 'SEK ISK', kronor: 'SEK', krone: 'NOK DKK', kroner: 'NOK DKK' },
	...{ bitcoin: 'BTC', '₿': 'BTC', ether: 'ETH', ethereum: 'ETH', tether: 'USDT' },
};

/** Coins that a name may say, beside those of the list. */
export const COINS = new Set(
	wordsIn(
		'USDT USDC DAI BUSD TUSD PYUSD EURC BTC ETH XRP BNB SOL TRX XLM LTC ADA DOGE DOT MATIC POL AVAX TON BCH',
	),
);
