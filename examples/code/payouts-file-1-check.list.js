/**
 * The rows as they are paid. Where the file says that the same payment is meant again, the approver reads which one was made before.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	const { 'Your mail': asker, 'Who approves': approver } = $('Upload payouts').first().json;
	const checks = $('Check').all();
	return $('Rows')
		.all()
		.map(({ json: { problems, row, line, again, ...payment } }, index) => {
			const { paymentKey, sameAs } = checks[index]?.json ?? {};
			const same = again && sameAs && paymentKey === payment.paymentKey ? `, the same as ${sameAs}` : '';
			return { json: { ...payment, again: `${again}${same}`, asker: asker.trim(), approver } };
		});
}
