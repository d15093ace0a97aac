/** A model reads no field that may hold data of customers, unless the author has asked for it. */

/**
 * Fields that a model may read of any record, in lower case without signs: the usual ones without those that may hold data of
 * customers. What a wrong guess leaves out of a read, the author of the workflow gets with *Raw*.
 */
const HARMLESS_FIELDS: ReadonlySet<string> = new Set([
	'id',
	'alias',
	'accountalias',
	'walletalias',
	'contractid',
	'status',
	'state',
	'currency',
	'coin',
	'asset',
	'assets',
	'assetsupported',
	'supportedassets',
	'network',
	'address',
	'balance',
	'available',
	'availablebalance',
	'amount',
	'fromamount',
	'toamount',
	'rate',
	'belowminimum',
	'paymentkey',
	'payoutid',
	'transactionid',
]);

export function isHarmless(name: string): boolean {
	return HARMLESS_FIELDS.has(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
}
