/**
 * The rows as they are paid.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	const { 'Your mail': asker, 'Who approves': approver } = $('Upload payouts').first().json;
	return $('Rows')
		.all()
		.map(({ json: { problems, row, line, ...payment } }) => ({
			json: { ...payment, asker: asker.trim(), approver },
		}));
}
