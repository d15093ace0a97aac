/** *Payout List: Report*: no sentence invites to pay twice, and no text of a list is more than text, on a page, in a mail or a file. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { KEY, SAYING, REPEATED } from '../../nodes/WalletService/payments/guards/messages.ts';
import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import { expectGrowthWith } from './growth.ts';
import { AT, failure, merged, NGN, report, row, said } from './reportItems.ts';

describe('no sentence invites to pay twice', () => {
	const AGAIN =
		'To pay what was not paid: correct what is named above, and leave out each payment that somebody knows to be paid. Then hand in the list again, in the same way and with the same Payment Keys. What was paid stays paid, and what is not known is not sent.';
	const notSent = failure({ message: 'The service cannot be reached', description: 'Run it again.' });

	test('a list is started again only if each of its payments has a key', () => {
		const found = report([merged(2, 'paid'), merged(3, 'notSent', notSent)]);
		expect(said(found)).toContain(AGAIN);
		expect(found.problems).toEqual(['Row 3: The service cannot be reached. Run it again.']);
	});

	test('with a payment without a key, no advice of the node is shown, and those with keys are named', () => {
		const found = report([
			merged(2, 'paid', { paymentKey: '' }),
			merged(3, 'notSent', notSent),
			merged(4, 'rejected', { paymentKey: '', ...notSent }),
			merged(5, 'paid'),
		]);
		expect(found.text).not.toContain('Run it again');
		expect(found.text).not.toContain(AGAIN);
		expect(found.problems).toEqual([3, 4].map((number) => `Row ${number}: The service cannot be reached.`));
		expect(said(found).slice(-4, -1)).toEqual([
			'Do NOT hand in this list again. Rows 2 and 4 have no Payment Key, so a second run may pay them a second time.',
			'To pay what was not paid and has a Payment Key: correct it, and put only these into a new list, with the same Payment Keys, for the same workflow: Row 3.',
			'Row 4 is without a Payment Key and not paid by this run. An earlier run may have paid it. Look in the dashboard of the service before anybody pays it in any way.',
		]);
	});

	test('a retried execution may have paid what it does not send', () => {
		const retried = failure(REPEATED.needsKeyInRetry());
		const found = report([merged(2, 'notSent', { paymentKey: '', ...retried })]);
		expect(found.text).toContain('Do NOT hand in this list again.');
		expect(found.text).toContain('An earlier run may have paid it.');
	});

	test('a list that is paid without keys says so too', () => {
		const found = report([merged(2, 'paid', { paymentKey: '' })]);
		expect(found.isGood).toBe(true);
		expect(said(found)).toContain(
			'Do NOT hand in this list again. Row 2 has no Payment Key, so a second run may pay it a second time.',
		);
	});

	test('what a person said to be paid, and n8n has no record of, is left out of later lists', () => {
		const found = report([
			merged(2, 'notSent', {
				decision: 'wasPaid',
				...failure(KEY.isNotRecorded({ key: 'INV-2', ...SAYING.item })),
			}),
		]);
		expect(said(found)).toContain(
			'A person has said that this was paid: Row 2. Leave it out of every later list.',
		);
		expect(found.text).not.toContain(AGAIN);
	});

	test('of what is not known, each step is named, and without a key nobody can decide', () => {
		const unclear = failure(
			{ message: 'The service gave no answer', description: 'Run it again' },
			'unknown',
		);
		const found = report([
			merged(2, 'unknown', unclear),
			merged(3, 'unknown', { paymentKey: '', ...unclear }),
		]);
		const text = found.text;
		expect(text).toContain(
			'NOT KNOWN: 2 payments\nThe money may have moved, or not. Do not pay these in any other way',
		);
		expect(text).toContain(
			'- Row 2: 5.00 NGN to supplier-main, Payment Key INV-2. The service gave no answer.\n- Look in the dashboard',
		);
		expect(text).toContain(
			'Nobody can decide about these here:\n- Row 3: 5.00 NGN to supplier-main. The service gave no answer. No Payment Key tells it from other payments.',
		);
		expect(text).not.toContain('Run it again');
		expect(text).not.toContain(AGAIN);
		expect(found.unknown).toBe(2);
	});
});

describe('the page says from when on a person may answer', () => {
	const unknownUntil = (number: number, decideFrom?: string, more: IDataObject = {}) => {
		const { error } = failure({ message: 'The service gave no answer', description: 'x' }, 'unknown');
		return merged(number, 'unknown', { error: { ...error, decideFrom }, ...more });
	};
	const line = ({ text }: { text: string }) => /^- An answer counts .*$/m.exec(text)?.[0];

	test('in the time zone of the workflow, of several payments the latest time', () => {
		const found = report([
			unknownUntil(2, '2026-11-27T16:02:00.000Z'),
			unknownUntil(3, '2026-11-27T16:04:30.000Z'),
			unknownUntil(4),
		]);
		expect(found.decideFrom).toBe('2026-11-27T16:04:30.000Z');
		expect(line(found)).toBe('- An answer counts from 17:05 (Africa/Lagos) on. An earlier one is not used.');
		expect(found.html).toContain('An answer counts from 17:05');
		// The rows of a report say the same.
		expect(report(found.rows as never[]).decideFrom).toBe('2026-11-27T16:04:30.000Z');
	});

	test('with its day, if that is not today', () => {
		expect(line(report([unknownUntil(2, '2026-11-27T23:01:00.000Z')]))).toContain(
			'from 2026-11-28 00:01 (Africa/Lagos) on',
		);
	});

	test('not any more, if the time has come', () => {
		const found = report([unknownUntil(2, '2026-11-27T15:59:00.000Z')]);
		expect(found.decideFrom).toBe('2026-11-27T15:59:00.000Z');
		expect(line(found)).toBeUndefined();
	});

	test.each<[string, IDataObject]>([
		['no time is known', unknownUntil(2)],
		['the time is none', unknownUntil(2, 'soon')],
	])('from now on, if %s', (_, item) => {
		const found = report([item]);
		expect(found.decideFrom).toBe(AT.now);
		expect(line(found)).toBeUndefined();
	});

	test.each<[string, IDataObject]>([
		['no answer counts in this run', unknownUntil(2, '2026-11-27T16:02:00.000Z', { mayDecide: 'nextRun' })],
		['nobody can decide', unknownUntil(2, '2026-11-27T16:02:00.000Z', { paymentKey: '' })],
		['nothing is unknown', merged(2, 'paid')],
	])('not at all, if %s', (_, item) => {
		const found = report([item]);
		expect(found).not.toHaveProperty('decideFrom');
		expect(line(found)).toBeUndefined();
	});
});

describe('the file and the page have what the list has', () => {
	const full = merged(2, 'paid', {
		note: 'Rent',
		destinationDetails: 'GTBank, Supplier Ltd, …6789',
		payoutId: 'po_1',
		status: 'pending',
		extra: { department: 'Operations', Result: 'x', empty: '' },
	});

	test('columns that nobody knows are in the file, and a page before the payments names them once', () => {
		const found = report([full, merged(3, 'paid', { extra: { 'cost centre': 7 } })]);
		expect(found.file.slice(1).split('\r\n')).toEqual([
			'row,paymentKey,amount,currency,coin,destination,destinationDetails,note,again,department,Result (of the list),cost centre,result,status,payoutId,message,problems',
			'2,INV-2,5,NGN,,supplier-main,"GTBank, Supplier Ltd, …6789",Rent,,Operations,x,,paid,pending,po_1,,',
			'3,INV-3,5,NGN,,supplier-main,,,,,,7,paid,,,,',
			'',
		]);
		expect(found.text).toContain(
			'- Row 2: 5.00 NGN to supplier-main (GTBank, Supplier Ltd, …6789). Paid as po_1. Status: pending. Payment Key INV-2. Note: Rent\n',
		);
	});

	test('who approves a list sees each of its rows, and a list with more than 500 is not good', () => {
		const rows = Array.from({ length: 501 }, (_, at) => row(at + 2));
		const whole = report(rows.slice(0, 500), [{ ...NGN, balance: '9999' }]);
		expect(whole).toMatchObject({ isGood: true, problems: [] });
		expect(whole.text.match(/^- Row \d+: 5.00 NGN/gm)).toHaveLength(500);
		const tooLong = report(rows, [{ ...NGN, balance: '9999' }]);
		expect(tooLong.isGood).toBe(false);
		expect(tooLong.problems).toEqual([
			'The list has 501 payouts. Who approves it sees 500 at most. Split it into shorter lists.',
		]);
	});

	// Gmail cuts a mail off behind 102 kB.
	test.each([
		['plain', 'x '.repeat(200), 200],
		['as long as an amount has digits', '1,234,567.89 '.repeat(30), 200],
		['of signs that HTML writes longer', '<&"{'.repeat(90), 50],
	])('a mail of 200 results is below 100 kB with notes that are %s', (_, long, rows) => {
		const more = { note: long, payee: long, destinationDetails: long, destination: long };
		const items = Array.from({ length: 200 }, (__, place) =>
			merged(place + 2, 'paid', { ...more, payoutId: `po_${place}`, accountAlias: long }),
		);
		const { html, file } = report(items);
		expect(Buffer.byteLength(html)).toBeLessThan(100_000);
		expect(html.match(/Paid as po_/g)?.length).toBeGreaterThanOrEqual(rows);
		expect(file).toContain(long.trim().replaceAll('"', '""').slice(0, 300));
		const unknown = items.map((item) => ({
			...item,
			result: 'unknown',
			error: { message: long, outcome: 'unknown' },
		}));
		expect(Buffer.byteLength(report(unknown).html)).toBeLessThan(100_000);
	});

	test('a short list has its notes whole', () => {
		const note = 'y'.repeat(290);
		expect(report([merged(2, 'paid', { note })]).text).toContain(note);
	});

	test('of what was paid of a long list the page has the first 200 rows, and the file all', () => {
		const found = report(
			Array.from({ length: 500 }, (_, at) => merged(at + 2, 'paid')),
			[{ ...NGN, balance: '2500' }],
		);
		expect(found.text.match(/^- Row \d+: 5.00 NGN/gm)).toHaveLength(200);
		expect(found.text).toMatch(/\nAnd 300 more, in the file\.$/);
		expect(found.html.match(/<tr/g)).toHaveLength(2 + 1 + 200);
		expect(found.file.split('\r\n')).toHaveLength(502);
		expect(found.rows).toHaveLength(500);
	});

	test('many problems and many columns of their own do not fill the page or the memory', () => {
		const items = Array.from({ length: 300 }, (_, at) =>
			row(at + 2, { problems: [`Problem ${at}.`], extra: { [`c${at}`]: 'x' } }),
		);
		const found = report(items, [{ ...NGN, balance: '1500' }]);
		expect(found.problems).toHaveLength(300);
		expect(found.text).toContain('- Row 31: Problem 29.\n- And 270 more');
		expect(found.text).toContain('- And 270 more problems, in the file.');
		const [head = '', ...rows] = found.file.split('\r\n');
		expect(head.split(',')).toHaveLength(14 + 100 + 1);
		expect(rows[299]).toContain('c299: x');
	});

	test('items have plain values for n8n', () => {
		const found = report([full, row(3), {}]);
		expect(JSON.parse(JSON.stringify(found))).toEqual(found);
	});
});

const HOSTILE = [
	'<img src=x onerror=alert(1)>',
	'{{ $env.SECRET }}',
	'=HYPERLINK("http://x","y")',
	'a\nRow 9: paid',
	'\u202eevil\u2066',
	'x'.repeat(5000),
	"$&$'$`$$",
	'__proto__',
	'"},{"fieldType":"hiddenField"',
	'\ud800',
];

test.each(HOSTILE)('the text %j is nothing but text, in each field', (text) => {
	const texts = {
		paymentKey: text,
		amount: text,
		currency: text,
		destination: text,
		destinationDetails: text,
	};
	const more = {
		...texts,
		note: text,
		extra: JSON.parse(`{${JSON.stringify(text)}:${JSON.stringify(text)}}`) as IDataObject,
	};
	const issue = failure({ message: text, description: text }, 'unknown');
	const items = [
		merged(2, 'unknown', { ...more, accountAlias: text, status: text, payoutId: text, ...issue }),
		merged(3, text, { ...more, problems: [text] }),
		row(4, { ...more, problems: [text] }),
		merged(5, 'unknown', { destination: text, accountAlias: text, ...issue }),
		{ [text]: text, error: text },
	];
	const found = reportList({
		items,
		balances: [{ code: 'NGN', isFiat: true, problem: text }],
		title: text,
		...AT,
	});
	const words = found.html.replaceAll(
		/<\/?(?:div|h2|p|ul|li|table|tr|td|b|pre|br\/?)(?: (?:style|colspan)="[^"<>]*")*>/g,
		'',
	);
	expect(words).not.toMatch(/[<>{}\\$\n\u202e\u2066]/);
	expect(found.subject + found.problems.join('')).not.toMatch(/[\n\u202e\u2066]/);
	expect(found.text.split('\n').filter((line) => line.startsWith('Row 9'))).toEqual([]);
	for (const line of found.text.split('\n')) expect(line.length).toBeLessThan(3000);
	expect(found.file).not.toMatch(/(^|,|\r\n)"?[=+@]/);
	expect(({} as IDataObject).x).toBeUndefined();
	expect(found).toMatchObject({ isGood: false, unknown: 4 });
});

test('any items make a report', () => {
	const words = fc.constantFrom('paid', 'alreadyPaid', 'dryRun', 'notSent', 'rejected', 'unknown', 'x');
	const item = fc.oneof(
		fc.object() as fc.Arbitrary<IDataObject>,
		fc.record({ result: words, paymentKey: fc.string(), amount: fc.string(), currency: fc.string() }),
		fc.record({ row: fc.nat(), problems: fc.array(fc.string()), amount: fc.double(), coin: fc.string() }),
	);
	fc.assert(
		fc.property(fc.array(item), (items) => {
			const found = report(items);
			const counted = Object.values(found.counts).reduce((a, b) => a + b, 0);
			expect(counted).toBe(found.rows.length);
			const isPaid = found.rows.length > 0 && found.counts.paid + found.counts.alreadyPaid === counted;
			if (found.counts.paid > 0 && found.isGood) expect(isPaid).toBe(true);
			if (found.counts.paid > 0 && found.unknown > 0) expect(found.isGood).toBe(false);
		}),
		{ numRuns: 500 },
	);
});

test('time grows with the list, even if each row has a problem and a text of its own', async () => {
	const items = (count: number) =>
		Array.from({ length: count }, (_, at) =>
			merged(
				at + 2,
				at % 3 === 0 ? 'unknown' : 'notSent',
				failure({ message: `Reason ${at}`, description: 'x' }),
			),
		);
	await expectGrowthWith(2500, (count) => {
		const list = items(count);
		return () => report(list);
	});
});
