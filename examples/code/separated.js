/**
 * A decimal with commas between its thousands. Another text stays as it is.
 * @param {unknown} amount
 */
export const separated = (amount) =>
	String(amount).replace(
		/^(-?)(\d+)(?=(\.\d+)?$)/,
		(_, sign, whole) => sign + whole.replace(/\B(?=(\d{3})+$)/g, ','),
	);
