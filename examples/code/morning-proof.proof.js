import { balancesOf } from './balances.js';
import { itemsOf, rowsOf } from './nodeItems.js';
import { prove } from './proof.js';
import { toHtml } from './text.js';

/**
 * A cell of the file. A spreadsheet takes text that begins with such a sign for a formula, and strangers name themselves.
 * @param {unknown} value
 */
const cell = (value) => {
	const text = String(value ?? '');
	const isNumber = /^-?\d+(\.\d+)?$/.test(text);
	return `"${(!isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

const COLUMNS = ['asset', 'time', 'kind', 'amount', 'counterpart', 'reference', 'status', 'txHash', 'key'];

/**
 * The mail, the file and the rows of the proofs.
 * @param {Array<ReturnType<typeof prove>>} proofs
 * @param {string[]} others assets that are in the books and are not proved
 * @param {string} date
 */
export function report(proofs, others, date) {
	const count = (/** @type {string} */ verdict) => proofs.filter((each) => each.verdict === verdict).length;
	const verdicts = ['NOT EXPLAINED', 'CANNOT BE READ', 'explained', 'under way', 'first proof', 'proved'];
	const sums = [
		...(others.length > 0 ? [`${others.length} NOT PROVED`] : []),
		...verdicts.filter(count).map((verdict) => `${count(verdict)} ${verdict}`),
	];
	const isAll = count('proved') === proofs.length && others.length === 0;
	const subject = `Morning proof ${date}: ${isAll ? 'all proved' : sums.join(', ')}`;
	const rest = [
		...(others.length > 0 ? [`Not proved: ${others.join(', ')}. Add them to the node What to prove.`] : []),
	];
	const text = [
		...proofs.map(({ asset, opening, booked, balance, difference, verdict, lines, notes }) =>
			[
				`${asset}: ${verdict}`,
				...(booked ? [`${opening} before, ${booked} moved, ${balance} now, difference ${difference}`] : []),
				...lines,
				...notes,
			].join('\n'),
		),
		...rest,
	].join('\n\n');

	const row = (/** @type {string} */ tag, /** @type {string[]} */ cells) =>
		`<tr>${cells.map((each) => `<${tag} style="text-align:left;vertical-align:top;padding:4px 12px 4px 0">${toHtml(each).replaceAll('\n', '<br>')}</${tag}>`).join('')}</tr>`;
	const table = proofs.map(({ asset, opening, booked, balance, difference, verdict, lines, notes }) =>
		row('td', [asset, opening, booked, balance, difference, [verdict, ...lines, ...notes].join('\n')]),
	);
	const head = row('th', [
		'Asset',
		'Last balance',
		'Movements',
		'Balance now',
		'Difference',
		'What it means',
	]);
	const html = `<table>${[head, ...table].join('')}</table>${rest.map((each) => `<p>${toHtml(each)}</p>`).join('')}`;

	const csv = [
		COLUMNS,
		...proofs
			.filter(({ balance }) => balance)
			.flatMap(({ asset, time, opening, balance, difference, entries, lines }) => [
				...(opening ? [[asset, '', 'last balance', opening]] : []),
				...entries.map((entry) => COLUMNS.map((name) => ({ asset, ...entry })[name])),
				...(difference && difference !== '0'
					? [[asset, time, 'difference', difference, lines.join(' ')]]
					: []),
				[asset, time, 'balance', balance],
			]),
	]
		.map((line) => COLUMNS.map((_, index) => cell(line[index])).join(','))
		.join('\r\n');

	const rows = proofs
		.filter(({ balance }) => balance)
		.map(({ asset, time, opening, booked, balance, difference, verdict, lines, open }) => ({
			...{ asset, time, opening, booked, balance, difference, verdict },
			...{ words: lines.join(' '), open: JSON.stringify(open) },
		}));
	return { subject, text, html, csv, rows, date };
}

/** @param {N8n} n8n */
export function run({ $, $today }) {
	const { cutOff, settings } = $('What to prove').first().json;
	const assets = itemsOf($, 'One asset each');
	const balances = balancesOf($, assets);
	const [rows, lasts] = ['Book', 'Last proofs'].map((node) => rowsOf($, node));
	const proofs = assets.map(({ code, isFiat }, index) =>
		prove({
			...{ asset: code, isFiat, ...balances[index], cutOff, rows, settings },
			last: lasts.find(({ asset }) => asset === code),
		}),
	);
	const listed = assets.map(({ code }) => code);
	const named = rows
		.filter(({ result }) => !result || result === 'paid')
		.map(({ asset }) => String(asset ?? '').toUpperCase());
	const others = [...new Set(named)].filter((code) => code && !listed.includes(code));
	return [{ json: report(proofs, others, $today.toISODate()) }];
}
