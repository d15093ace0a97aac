import { secondYes } from './secondYes.js';

/**
 * Who is asked about the payment that can be made: the approver, and a second person if the settings want one.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	return $input.all().map(({ json }) => {
		const { secondYesAbove, secondApprover, ...payment } = json;
		const { second, problem } = secondYes(
			{ secondYesAbove, secondApprover },
			{ rows: [json], asker: $('Wanted').first().json.askedBy, approver: json.approver },
		);
		const isStopped = problem !== '' && json.result === 'dryRun';
		return { json: { ...payment, second, ...(isStopped && { result: 'notSent', message: problem }) } };
	});
}
