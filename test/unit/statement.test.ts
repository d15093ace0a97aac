/** The statement that Reconcile gives: read by a bookkeeper's program, and line by line. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { at, correction, cryptoPayout, day, deposit, opening, payout, row, update } from './bookRows.ts';
import { reconciled } from './reconcileDays.ts';

const ROWS = [
	opening('NGN', '1000000.00'),
	opening('USDT', '1000.5'),
	...payout('P1', '40', day(0, 60)),
	deposit('d1', '100.25', day(0, 120), { counterpart: 'Ada; "Obi", =SUM(A1)' }),
	...cryptoPayout('C1', '20', day(0, 90)),
	update('po_C1', '20', day(0, 95)),
	...cryptoPayout('C2', '30', day(0, 100)),
	update('po_C2', '30', day(0, 700), { status: 'failed', fee: '' }),
	row({
		kind: 'conversion',
		key: 'FX',
		reference: 'itx',
		asset: 'USDT',
		amount: '-100',
		time: day(0, 200),
		result: 'paid',
	}),
	row({
		kind: 'conversion',
		key: 'FX',
		reference: 'itx',
		asset: 'NGN',
		amount: '154000',
		time: day(0, 200),
		result: 'paid',
	}),
	correction('NGN', '-0.25', day(0, 800)),
];
const BALANCES = { NGN: '1153560.00', USDT: '879.5' };
const statement = () => reconciled(ROWS, BALANCES, day(1)).file;

test('it has a line for each entry, in order of time, with the balance behind it', () => {
	const [header, ...lines] = statement().replace('\uFEFF', '').trimEnd().split('\r\n');
	expect(header).toBe(
		'date,time,asset,kind,amount,balance,counterpart,details,reference,status,txHash,key,message',
	);
	const cells = lines.map((line) => line.split(',').slice(0, 6));
	expect(cells.map(([, , ...rest]) => rest.join(' '))).toEqual([
		'NGN opening 1000000.00 1000000.00',
		'USDT opening 1000.5 1000.5',
		'NGN fiat payout -40 999960.00',
		'USDT crypto payout -20 980.5',
		'USDT fee -1 979.5',
		'USDT crypto payout -30 949.5',
		'NGN deposit 100.25 1000060.25',
		'NGN conversion 154000 1154060.25',
		'USDT conversion -100 849.5',
		'USDT came back 30 879.5',
		'NGN correction -0.25 1154060.00',
		'NGN difference -500.00 1153560.00',
		'USDT difference 0.0 879.5',
	]);
	const times = cells.map(([, time]) => time!);
	expect(times).toEqual(times.toSorted());
	expect(times.every((time) => time >= at(0) && time <= day(1))).toBe(true);
});

test('its days are those of the workflow', () => {
	const { file } = reconciled(ROWS, BALANCES, day(1), { timeZone: 'Pacific/Auckland' });
	// 06:00 in UTC is 19:00 in Auckland; 18:30 in UTC is the next day.
	expect(file).toContain('2026-01-01,2026-01-01T06:00:00.000Z,NGN,opening');
	expect(file).toMatch(/2026-01-02,2026-01-01T17:40:00.000Z,USDT,came back/);
});

// The launcher installs it. Where it cannot, it says so, and fails in CI.
const { HLEDGER } = process.env;

(HLEDGER === undefined ? test.skip : test)(
	'hledger reads it by the rules of the docs, checks each balance, and finds the same sums',
	() => {
		const folder = mkdtempSync(join(tmpdir(), 'statement-'));
		const [csv, journal] = [join(folder, 'statement.csv'), join(folder, 'statement.journal')];
		const hledger = (...command: string[]) =>
			execFileSync(HLEDGER!, command, { encoding: 'utf8', stdio: 'pipe' });
		const read = (text: string) => {
			writeFileSync(csv, text);
			writeFileSync(
				journal,
				hledger('-f', csv, '--rules-file', 'docs/reference/statement.csv.rules', 'print'),
			);
			hledger('-f', journal, 'check');
		};
		read(statement());
		const sums = hledger('-f', journal, 'balance', '--flat', '--no-total', '-O', 'csv');
		expect(sums).toContain('"assets:wallet","1153560.00 NGN, 879.5 USDT"');
		expect(sums).toContain('"equity:not explained","500.00 NGN"');
		expect(sums).toContain('"expenses:payouts","40.00 NGN, 20.0 USDT"');
		// A line that was changed does not pass.
		expect(() => read(statement().replace('fiat payout,-40,', 'fiat payout,-41,'))).toThrow(
			'balance assertion',
		);
	},
);
