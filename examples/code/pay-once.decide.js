import { rowInWords } from './rowInWords.js';
import { isFailure } from './status.js';

/** After so many payments in a row without a clear answer, the service is taken to be down. */
const MOST_UNCLEAR = 3;

/** A person may have written Paid. So a row with another word is not sent. */
const RESULTS = ['paid', 'unknown', 'rejected', 'notSent'];

/**
 * The table is a book for people. It answers what it knows. For all else, Payment Key decides.
 * @param {N8n} n8n
 */
export function run({ $, $input, $workflow }) {
	const wanted = $('Each row').first().json;
	const rows = $('Look up')
		.all()
		.map((item) => item.json);
	/** @type {Array<(row: BookRow) => unknown>} */
	const kinds = [
		(row) => row.reference,
		(row) => row.result === 'paid',
		(row) => row.settle,
		(row) => row.result === 'unknown',
		() => true,
	];
	const row = kinds.map((isKind) => rows.find(isKind)).find((found) => found);
	const isUnknown = row.result === 'unknown';
	/** @type {(result: string, message: string, row?: Partial<BookRow>) => N8nItem[]} */
	const tell = (result, message, { reference, status, execution } = {}) => [
		{ json: { next: 'tell', result, message, payoutId: reference, status, execution } },
	];
	/** @param {string} message */
	const stop = (message) => tell(isUnknown ? 'unknown' : 'notSent', message, row);

	if (wanted.problem) return tell('notSent', wanted.problem);
	const missing = missingIn($('Book'));
	if (missing.length > 0)
		return stop(
			`The table wallet_service_book has no column ${missing.join(' and no column ')}. Add it, then run this again. Nothing was sent.`,
		);
	if ((isUnknown || row.result === 'paid') && rowInWords(row) !== rowInWords(wanted))
		return tell(
			'notSent',
			`In the table, ${wanted.paymentKey} is ${rowInWords(row)}. This row says ${rowInWords(wanted)}. One of the two is wrong. Nothing was sent.`,
		);
	const failed = `This was sent before, and its status is ${row.status}. To pay it again, use another key.`;
	if (row.result === 'paid' && isFailure(row.status)) return tell('notSent', failed, row);
	if (row.result === 'paid') return tell('alreadyPaid', row.message, row);
	if (row.result && !RESULTS.includes(row.result))
		return stop(
			`The column result says '${row.result}'. It may say ${RESULTS.join(', ')}, or nothing. Nothing was sent.`,
		);
	if (row.settle && !(isUnknown && ['wasPaid', 'wasNotPaid'].includes(row.settle)))
		return stop(
			`The column settle says '${row.settle}'. It may say wasPaid or wasNotPaid, and only if the result is unknown. Nothing was sent.`,
		);

	const word = row.settle ? `A person wrote ${row.settle}.` : '';
	const unknown = word
		? 'Run it again in a few minutes. If it is still unknown, look the payment up at the service. Then write wasPaid or wasNotPaid again.'
		: 'Wait five minutes, then look the payment up at the service. Then write wasPaid or wasNotPaid into the column settle, and run it again.';
	if (isUnknown && !row.settle && (wanted.dryRun || row.workflow !== $workflow.id))
		return tell('unknown', row.message || unknown, row);
	const same = $input
		.all()
		.map(({ json }) => json)
		// An update of a payout has no result.
		.filter(
			({ reference, result, status }) =>
				result && !isFailure(status) && (reference || ['paid', 'unknown'].includes(result)),
		)
		.findLast((other) => rowInWords(other) === rowInWords(wanted));
	const sameAs = same
		? `${same.key} (${same.result === 'paid' ? 'paid' : 'perhaps paid'} on ${String(same.time ?? same.createdAt).slice(0, 10)})`
		: '';
	// It is written: if the list ends at the next row, this one must not look as if it was under way.
	const isMeant = /^yes(?:,|$)/i.test(wanted.again) || wanted.again === sameAs;
	const held = same && !isMeant && !isUnknown;
	const unclear = $('What happened').isExecuted ? $('What happened').first().json.unclear : 0;
	if (!held && unclear >= MOST_UNCLEAR && row.settle !== 'wasPaid')
		return stop(
			`Not sent, because the service gave no clear answer to ${MOST_UNCLEAR} payments before this one. Run it again when the service works.`,
		);
	const says = {
		paid: word,
		alreadyPaid:
			row.settle === 'wasPaid'
				? word
				: 'An earlier run has paid this, and could not write it here. Look for its ID at the service.',
		dryRun: 'This was a dry run.',
		notSent: `The same payment has another key: ${sameAs}. If both must be paid, say yes in the field again, and run this again. Nothing was sent.`,
		unknown,
	};
	return [
		{
			json: {
				...(held || row.settle === 'wasPaid'
					? { next: 'write', result: held ? 'notSent' : 'alreadyPaid' }
					: { next: wanted.coin ? 'coin' : 'fiat' }),
				decision: row.settle || 'doNotPay',
				says,
				sameAs,
				tried: isUnknown ? row : {},
				keeps: isUnknown ? ['notSent', ...(word ? [] : ['unknown'])] : [],
			},
		},
	];
}

/**
 * The columns that somebody has deleted. Without them, nothing can be written after a payment.
 * @param {ReturnType<N8n['$']>} table
 */
function missingIn(table) {
	/** @type {Array<Array<{ name: string, type: string }>>} */
	const [wanted, there] = [table.params.columns.column, table.first().json.columns];
	return wanted
		.filter(({ name }) => !there.some((column) => column.name === name))
		.map(({ name, type }) => `${name} (${type})`);
}
