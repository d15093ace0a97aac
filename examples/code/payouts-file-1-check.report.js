// @ts-nocheck
/**
 * One page for all: what is wrong, by rows; or the totals beside the balances.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	const all = (name) =>
		$(name)
			.all()
			.map((item) => item.json);
	const [rows, checks, totals, accounts, wallets] = [
		'Rows',
		'Check',
		'Totals and balances',
		'Accounts',
		'Wallets',
	].map(all);
	const approver = $('Upload payouts').first().json['Who approves'];
	const safe = (text) =>
		String(text)
			.replace(/[\p{C}\p{Z}]+/gu, ' ')
			.replace(/[&<>\\]/g, (sign) => `&#${sign.codePointAt(0)};`);
	const reason = ({ error }) => String(error?.message ?? error);

	/** What is wrong with the alias of a row. Other text stays in the list of the service. */
	const aliasProblem = ({ currency, coin, destination }) => {
		const [kind, list] = coin ? ['wallet', wallets] : ['account', accounts];
		const failed = list.find(({ error }) => error);
		if (failed) return `the list of ${kind}s could not be read. ${reason(failed)}`;
		const known = list.find(({ alias }) => alias === destination);
		if (!known) return `no settlement ${kind} has the alias ${destination}.`;
		if (String(known.status).toLowerCase() !== 'whitelisted')
			return `the ${kind} ${destination} is not approved. Its status is ${known.status}.`;
		if (currency && known.currency && known.currency !== currency)
			return `the account ${destination} takes ${known.currency}, not ${currency}.`;
		const coins = String(known.asset_supported ?? '')
			.split(',')
			.map((name) => name.trim().toUpperCase())
			.filter((name) => name);
		if (coin && coins.length > 0 && !coins.includes(coin))
			return `the wallet ${destination} takes ${coins.join(', ')}, not ${coin}.`;
		return '';
	};

	const isUnknown = (row, index) =>
		checks[index]?.result === 'unknown' && checks[index].paymentKey === row.paymentKey;
	const problemOf = (row, index) => {
		if (row.problem) return row.problem;
		const check = checks[index] ?? {};
		if (isUnknown(row, index))
			return `it is not known if this was paid before. ${approver} gets a mail to settle it.`;
		if (check.result === 'alreadyPaid') return 'this paymentKey was paid before. Remove the row.';
		const alias = aliasProblem(row);
		if (alias) return alias;
		if (check.result === 'dryRun' && check.paymentKey === row.paymentKey) return '';
		return (
			check.message ||
			`this row could not be checked. ${check.error ? reason(check) : 'Upload the file again.'}`
		);
	};

	/** Rows with the same problem in other words are one group: its text then has no values of a single row. */
	const groups = new Map();
	for (const [index, row] of rows.entries()) {
		const problem = problemOf(row, index);
		if (problem === '') continue;
		const common =
			row.amount && problem.includes(row.amount) && !row.problem
				? problem.replaceAll(row.amount, '…')
				: problem;
		groups.set(common, [...(groups.get(common) ?? []), { row: row.row, problem }]);
	}
	const joined = (numbers) =>
		numbers.length > 12
			? `${numbers.slice(0, 10).join(', ')} and ${numbers.length - 10} more`
			: numbers.length > 1
				? `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
				: numbers[0];
	const problems = [...groups].map(([common, found]) => {
		const [{ row, problem }] = found;
		if (row === 0) return safe(problem);
		return `<b>${found.length > 1 ? 'Rows' : 'Row'} ${joined(found.map((each) => each.row))}:</b> ${safe(found.length > 1 ? common : problem)}`;
	});

	const failed = totals.find(({ error }) => error);
	if (failed) problems.push(`The balances could not be read. ${safe(reason(failed))}`);
	const sums = totals
		.filter(({ code }) => code)
		.map(({ code, count, total, balance, isEnough }) => {
			if (isEnough === false)
				problems.push(`The list needs ${total} ${code}. The wallet has ${balance} ${code}.`);
			return `${count} ${count === 1 ? 'payout' : 'payouts'}, ${total} ${code}. The wallet has ${balance ? `${balance} ${code}` : 'a balance that could not be read'}.`;
		});

	const list = (lines) => `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`;
	const MOST_GROUPS = 30;
	const shown = problems
		.slice(0, MOST_GROUPS)
		.concat(
			problems.length > MOST_GROUPS ? [`There are ${problems.length - MOST_GROUPS} more problems.`] : [],
		);
	const isGood = problems.length === 0;
	const fiat = rows.some(({ currency }) => currency)
		? ' The service reports no status of fiat payouts. Look in its dashboard.'
		: '';
	return [
		{
			json: {
				isGood,
				title: isGood ? 'The list is good' : 'Correct the file',
				message: isGood
					? `${list(sums)}<p>${safe(approver)} gets a mail with the list. Nothing is paid yet. After a yes, the rows are paid, and you both get a mail with the results.${fiat}</p>`
					: `${list(shown)}<p>Nothing was paid. Nobody was asked to approve it. Correct the file and upload it again.</p>`,
				unknown: rows
					.filter(isUnknown)
					.map(({ paymentKey }) => checks.find((check) => check.paymentKey === paymentKey).paymentKey),
			},
		},
	];
}
