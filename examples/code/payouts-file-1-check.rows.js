import { readPayoutFile } from './payoutFile.js';

/**
 * Reads the file. A row with the number 0 stands for the whole file.
 * @param {N8n} n8n
 */
export function run({ $input }) {
	const { problems, rows } = readPayoutFile(String($input.first().json.data ?? ''));
	const empty = { paymentKey: '', amount: '', currency: '', coin: '', destination: '', again: '' };
	const whole = problems.length > 0 ? [{ row: 0, line: 0, ...empty, problems }] : [];
	return [...whole, ...rows].map((json) => ({ json }));
}
