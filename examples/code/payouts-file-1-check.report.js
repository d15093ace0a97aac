import { names } from './secondYes.js';
import { oneLine, toHtml } from './text.js';
import { invisibleIn, isError, isFormula, oddIn } from './payoutFile.js';

/**
 * @typedef {Payment & { row: number, line: number, problems: string[] }} FileRow
 * @typedef {{ alias?: unknown, status?: unknown, currency?: unknown, asset_supported?: unknown, error?: any }} Place An account or a wallet, as the service lists it.
 * @typedef {{ result?: string, paymentKey?: string, message?: string, error?: any }} Check What pay once says to a row.
 * @typedef {{ code?: string, count?: number, total?: string, balance?: string, isEnough?: boolean | null, error?: any }} Total
 * @typedef {'form' | 'file' | 'limit' | 'other'} Kind What can be done about a problem: correct the form or the file, or nothing here.
 * @typedef {{ kind: Kind, text: string }} Problem
 */

/** @param {{ error?: any }} item */
const reason = ({ error }) => String(error?.message ?? error);

/** @param {unknown} code */
const upper = (code) =>
	String(code ?? '')
		.trim()
		.toUpperCase();

/**
 * What is wrong with the alias of a row. Other text stays in the list of the service.
 * @param {Payment} row
 * @param {{ accounts: Place[], wallets: Place[] }} lists
 * @returns {Problem | undefined}
 */
export function aliasProblem({ currency, coin, destination }, { accounts, wallets }) {
	if (destination === '' || isError(destination)) return undefined;
	// A row with both or none says so elsewhere.
	const isUnclear = Boolean(currency) === Boolean(coin);
	const isWallet = coin !== '' && !isUnclear;
	const kind = isUnclear ? 'account or wallet' : isWallet ? 'wallet' : 'account';
	const kinds = isUnclear ? 'accounts or wallets' : `${kind}s`;
	const list = isUnclear ? [...accounts, ...wallets] : isWallet ? wallets : accounts;
	const failed = list.find(({ error }) => error);
	if (failed) return { kind: 'other', text: `the list of ${kinds} could not be read. ${reason(failed)}` };
	/** @param {string} text @returns {Problem} */
	const wrong = (text) => ({ kind: 'file', text });
	/** @param {Place[]} places */
	const named = (places) => places.filter(({ alias }) => String(alias ?? '') === destination);
	const records = named(list);
	if (records.length === 0) {
		if (isWallet && named(accounts).length > 0)
			return wrong(`${destination} is an account, and the row has a coin. Accounts take a currency.`);
		if (!isWallet && named(wallets).length > 0)
			return wrong(`${destination} is a wallet, and the row has a currency. Wallets take a coin.`);
		if (
			list.length > 0 &&
			list.every(({ alias }) => alias === undefined) &&
			list.some((place) => Object.keys(place).length > 0)
		)
			return { kind: 'other', text: `the list of ${kinds} has no field alias, so nothing can be compared.` };
		const odd = invisibleIn(destination) || oddIn(destination);
		if (odd)
			return wrong(`no settlement ${kind} has the alias ${destination}. It has ${odd}. Enter it again.`);
		if (isFormula(destination))
			return wrong(`the destination ${destination} begins with a sign of a formula. Enter the alias.`);
		return wrong(`no settlement ${kind} has the alias ${destination}.`);
	}
	/** @param {Place} place */
	const isApproved = ({ status }) => upper(status) === 'WHITELISTED';
	/** @param {Place} place */
	const codesOf = (place) =>
		(isWallet ? String(place.asset_supported ?? '').split(/[\s,;]+/) : [place.currency])
			.map(upper)
			.filter((code) => code);
	/** @param {Place} place */
	const takes = (place) => codesOf(place).length === 0 || codesOf(place).includes(upper(coin || currency));
	if (isUnclear) return undefined;
	if (records.some((place) => isApproved(place) && takes(place))) return undefined;
	const fitting = records.filter(takes);
	if (fitting.length > 0)
		return wrong(
			`the ${kind} ${destination} is not approved. Its status is ${fitting.map(({ status }) => status || 'not known').join(', ')}.`,
		);
	const codes = [...new Set(records.flatMap(codesOf))].join(', ');
	return wrong(`the ${kind} ${destination} takes ${codes}, not ${upper(coin || currency)}.`);
}

/** What pay once says about a row, and the words for people who see the form only. @type {Array<[RegExp, Kind, string]>} */
const WORDS = [
	[
		/The amount (\S+) is above '[^']*' (\d[\d.]*\d|\d)/,
		'limit',
		'the amount $1 is above $2, the limit for one payout.',
	],
	[/'([^']*)' is not one of 'Allowed Currencies'/, 'limit', '$1 is not a currency or coin that may be paid.'],
	[/'([^']*)' is not one of '/, 'limit', '$1 is not one of the destinations that may be paid.'],
	[
		/has made its (\S+) payments of today/,
		'limit',
		'the $1 payouts of today are made, and this is the limit for a day.',
	],
	[
		/The total (\S+) .*?is above '[^']*' (\d[\d.]*\d|\d)/,
		'limit',
		'the total $1 is above $2, the limit for one run.',
	],
	[
		/'Payment Key' (.*?) was used for (?:a|the same) payment (with another [^.]*|of another account)/,
		'file',
		'the paymentKey $1 was used before, for a payment $2. Find out which of the two is right.',
	],
	[
		/This was sent before, and its status is (.*?)\. To pay it again, use another key/,
		'file',
		'this paymentKey was sent before, and its status is $1. To pay it again, use another paymentKey.',
	],
	[
		/In the table, (.*? is .*?)\. This row says (.*?)\. One/,
		'file',
		'in the book, $1. This row says $2. Find out which of the two is right.',
	],
	[
		/The same payment has another key: (.*) \((\w[^()]*) on (\d{4}-\d\d-\d\d)\)/,
		'file',
		'the same payment was $2 on $3, with the paymentKey $1. If both must be paid, write yes in a column again.',
	],
];

/**
 * What a check says, in words for the person at the form, who sees no node of n8n.
 * @param {string} message
 * @returns {Problem[]}
 */
export function inWords(message) {
	/** @type {Problem[]} */
	const found = [];
	let rest = message;
	for (const [pattern, kind, words] of WORDS)
		for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
			found.push({
				kind,
				text: words.replace(/\$(\d)/g, (_, group) => /** @type {string[]} */ (match)[group]),
			});
			rest = rest.replace(match[0], '');
		}
	if (found.length > 0) return found;
	const [what] = message.split(/(?<=\.)\s/, 1);
	return [
		{ kind: 'other', text: `${what.replace(/\.?$/, '.')} Show this to the person who looks after n8n.` },
	];
}

/**
 * What is wrong with the form.
 * @param {Record<string, any>} form
 * @param {string[]} approvers
 */
export function formProblems(form, approvers) {
	const asker = String(form['Your mail'] ?? '').trim();
	const approver = String(form['Who approves'] ?? '');
	return [
		!approvers.includes(approver) && 'Choose who approves from the list.',
		names(approver, asker) && 'Another person must approve. Choose one.',
		!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(asker) && 'Enter one mail address in Your mail.',
	].filter((text) => text !== false);
}

/** @param {Array<string | number>} labels */
const joined = (labels) =>
	labels.length > 12
		? `${labels.slice(0, 10).join(', ')} and ${labels.length - 10} more`
		: labels.length > 1
			? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`
			: labels[0];

/** @param {string} text */
const safe = (text) => toHtml(oneLine(text).replace(/^(.{300}).+/u, '$1…'));

const MOST_GROUPS = 30;

/**
 * One page for all: what is wrong, by rows; or the totals beside the balances.
 * @param {{ form: Record<string, any>, approvers: string[], rows: FileRow[], checks: Check[], totals: Total[], accounts: Place[], wallets: Place[] }} found
 */
export function reportOf({ form, approvers, rows, checks, totals, accounts, wallets }) {
	const approver = String(form['Who approves'] ?? '');
	const ofForm = formProblems(form, approvers);
	const isForm = ofForm.length > 0;
	/** @type {(row: FileRow, check: Check | undefined) => boolean} */
	const isOf = (row, check) => check?.paymentKey === row.paymentKey;

	/** @type {(row: FileRow, check: Check | undefined) => Problem[]} */
	const problemsOf = (row, check) => {
		/** @type {Problem[]} */
		const own = row.problems.map((text) => ({ kind: 'file', text }));
		if (row.row === 0) return own;
		const alias = aliasProblem(row, { accounts, wallets });
		const known = [...own, ...(alias ? [alias] : [])];
		/** @param {Kind} kind @param {string} text */
		const and = (kind, text) => [...known, { kind, text }];
		if (row.paymentKey && isOf(row, check)) {
			if (check?.result === 'unknown')
				return and(
					'other',
					`it is not known if this was paid before.${isForm ? '' : ` ${approver} gets a mail to settle it.`}`,
				);
			if (check?.result === 'alreadyPaid')
				return and('file', 'this paymentKey was paid before. Remove the row.');
			if (check?.result === 'dryRun') return known;
		}
		const said = inWords(check?.message ?? '').filter(({ kind }) => kind !== 'other');
		const limits = said.filter(({ text }) => !(alias && text.includes('destinations')));
		if (known.length > 0 || limits.length > 0) return [...known, ...limits];
		if (check?.message) return inWords(check.message);
		return and(
			'other',
			`this row could not be checked. ${check?.error ? reason(check) : 'Upload the file again.'}`,
		);
	};

	/** Rows with the same problem in other words are one group: its text then has no values of a single row. */
	const groups = new Map();
	/** @type {Set<Kind>} */
	const kinds = new Set();
	for (const [index, row] of rows.entries())
		for (const { kind, text } of problemsOf(row, checks[index])) {
			kinds.add(kind);
			const common = kind === 'limit' && row.amount ? text.replaceAll(row.amount, '…') : text;
			groups.set(common, [...(groups.get(common) ?? []), { row, text }]);
		}
	/** @param {FileRow} row */
	const label = ({ row, line }) => (row === line ? row : `${row} (line ${line})`);
	const problems = [...groups].map(([common, found]) => {
		const [{ row, text }] = found;
		if (row.row === 0) return safe(text);
		const labels = found.map((/** @type {{ row: FileRow }} */ each) => label(each.row));
		return `<b>${found.length > 1 ? 'Rows' : 'Row'} ${joined(labels)}:</b> ${safe(found.length > 1 ? common : text)}`;
	});

	const failed = totals.find(({ error }) => error);
	const codes = new Set(rows.map(({ currency, coin }) => currency || coin).filter((code) => code));
	/** @param {string} text */
	const tell = (text) => {
		kinds.add('other');
		problems.push(text);
	};
	if (failed) tell(`The balances could not be read. ${safe(reason(failed))}`);
	const known = totals.filter(({ code }) => code);
	const sums = known.map(({ code, count, total, balance, isEnough }) => {
		if (isEnough === false) tell(`The list needs ${total} ${code}. The wallet has ${balance} ${code}.`);
		return `${count} ${count === 1 ? 'payout' : 'payouts'}, ${total} ${code}. ${balance ? `The wallet has ${balance} ${code}.` : 'The balance could not be read, so nobody knows if it is enough.'}`;
	});
	if (problems.length === 0)
		for (const code of codes)
			if (!known.some((total) => total.code === code))
				tell(`The total in ${safe(code)} could not be compared with a balance.`);
	problems.unshift(...ofForm);

	/** @param {string[]} lines */
	const list = (lines) => `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`;
	const shown = problems
		.slice(0, MOST_GROUPS)
		.concat(
			problems.length > MOST_GROUPS ? [`There are ${problems.length - MOST_GROUPS} more problems.`] : [],
		);
	const isGood = problems.length === 0;
	const isFile = kinds.has('file');
	const fiat = rows.some(({ currency }) => currency)
		? ' The service reports no status of fiat payouts. Look in its dashboard.'
		: '';
	const what = [isForm && 'the form', isFile && 'the file'].filter((text) => text).join(' and ');
	const limits = kinds.has('limit')
		? '<p>The limits are in n8n, in the workflow <i>pay once</i>. Only people who edit workflows there can change them.</p>'
		: '';
	const lines = problems.some((text) => / \(line \d+\)/.test(text))
		? '<p>Rows are counted as in Excel, lines as in a text editor.</p>'
		: '';
	return {
		isGood,
		title: isGood ? 'The list is good' : what ? `Correct ${what}` : 'Nobody was asked',
		message: isGood
			? `${list(sums)}<p>${safe(approver)} gets a mail with the list. Nothing is paid yet. After a yes, the rows are paid, and you both get a mail with the results.${fiat}</p>`
			: `${list(shown)}${limits}${lines}<p>Nothing was paid. Nobody was asked to approve it.${isFile ? ' Correct the file and upload it again.' : ''}</p>`,
		unknown: isForm
			? []
			: rows
					.filter(
						(row, index) => row.paymentKey && isOf(row, checks[index]) && checks[index].result === 'unknown',
					)
					.map(({ paymentKey }) => paymentKey),
	};
}

/** @param {N8n} n8n */
export function run({ $ }) {
	/** @param {string} name */
	const all = (name) =>
		$(name)
			.all()
			.map((item) => item.json);
	/** @type {Array<{ fieldLabel: string, fieldOptions: { values: Array<{ option: string }> } }>} */
	const fields = $('Upload payouts').params.formFields.values;
	const choice = fields.find(({ fieldLabel }) => fieldLabel === 'Who approves');
	return [
		{
			json: reportOf({
				form: $('Upload payouts').first().json,
				approvers: (choice?.fieldOptions.values ?? []).map(({ option }) => option),
				rows: all('Rows'),
				checks: all('Check'),
				totals: all('Totals and balances'),
				accounts: all('Accounts'),
				wallets: all('Wallets'),
			}),
		},
	];
}
