/**
 * One row for each row of the list, whatever happened.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	const paid = $('Pay once')
		.all()
		.map((item) => item.json);
	const failure = paid.find(({ error }) => error)?.error;
	return $('Rows')
		.all()
		.map(({ json: row }, index) => {
			const said =
				paid[index]?.paymentKey === row.paymentKey
					? paid[index]
					: {
							result: 'unknown',
							message:
								`Pay once gave no result. Upload the list again. ${failure?.message ?? failure ?? ''}`.trim(),
						};
			const { result, payoutId = '', status = '' } = said;
			const message = String(said.message ?? '').replace(
				/Look the payment up.*$/,
				'The approver gets a mail to settle it.',
			);
			return {
				json: {
					paymentKey: row.paymentKey,
					result,
					amount: row.amount,
					currency: row.currency ?? '',
					coin: row.coin ?? '',
					destination: row.destination,
					payoutId,
					status,
					message,
				},
			};
		});
}
