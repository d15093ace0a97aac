/** A month of the world, with the functions of the book. `npm run soak -- booksWorld` lives more of them. */
import { rowsOfItem } from '../../nodes/WalletServiceDesk/book/make/makeRows.ts';
import type { WorldInMemory as World } from '../../host/world/memory.ts';
import { alertNames, toldBy } from '../../host/world/told.ts';
import { SEED } from '../../host/testkit/random.ts';
import { alertsOf, BUSY, monthOf, QUIET } from '../../soak/books/asFunctions.ts';

/** Both groups of tests look at it. */
const quietMonth = () => (lived ??= monthOf(SEED, { days: 30, readAt: QUIET }));
let lived: ReturnType<typeof monthOf> | undefined;

/** Each difference is the true one, to the last digit: else the month ends with an error. */
test.each([
	['at a quiet hour', quietMonth, { falseAlarms: 0.1, hidden: 0.35 }],
	[
		'in the middle of the business',
		() => monthOf(SEED, { days: 30, readAt: BUSY }),
		{ falseAlarms: 0.15, hidden: 0.35 },
	],
])(
	'read %s, few losses are hidden, none for long, and there are few false alarms',
	async (_, month, most) => {
		const { figures, mistakes } = await month();
		expect(figures.movements).toBeGreaterThan(2_000);
		// Two equal payments of a list that was killed may be taken for each other.
		expect(figures.wronglyNamed).toBeLessThanOrEqual(2);
		expect(figures.falseAlarms).toBeLessThanOrEqual(most.falseAlarms * figures.calm);
		expect(figures.hidden).toBeLessThanOrEqual(most.hidden * figures.withFault);
		// What is too large for a missing fee is not hidden for more than two mornings.
		const hidden = mistakes
			.flatMap(({ faults }) => faults)
			.filter(({ movement }) => !isSmall(movement.moved));
		const mornings = [...Map.groupBy(hidden, (fault) => fault).values()].map(({ length }) => length);
		expect(mornings.filter((count) => count > 2)).toEqual([]);
	},
);

const isSmall = (moved: bigint) => moved > -10_000_000n && moved < 10_000_000n;

describe('the rows and alerts of a month', () => {
	let world: World;
	beforeAll(async () => {
		({ world } = await quietMonth());
	});

	test('Make Rows makes the rows that the contract has', () => {
		const made = world.batches.filter(({ items, writer }) => items.length > 0 && writer.workflow !== '');
		expect(made.length).toBeGreaterThan(3_000);
		for (const { items, rows, writer, now } of made) {
			const context = { ...writer, now, approvedBy: '', needsApproval: true };
			const written = items.flatMap((item, place) => rowsOfItem(item, place, context));
			// A message is for people.
			expect(written.map((row) => ({ ...row, message: '' }))).toEqual(rows);
		}
	});

	test('each morning and in the middle of the business, the alerts are those that the world expects, and no others', () => {
		const mornings = Array.from({ length: 31 }, (_, day) => Date.UTC(2026, 0, 1 + day, 5));
		const every = Math.ceil(world.batches.length / 60);
		const inBetween = world.batches
			.filter((_, place) => place % every === 0)
			.map(({ now }) => Date.parse(now));
		const kinds = new Set<string>();
		for (const time of [...mornings, ...inBetween]) {
			// The example waits ten seconds, for the result of a payment that is younger than its event.
			const now = new Date(time + 10_000).toISOString();
			const rows = world.batches.filter((batch) => batch.now <= now).flatMap((batch) => batch.rows);
			const expected = alertNames(toldBy(rows, world.movements), now);
			const told = alertsOf(rows, now).map(({ alert }) => alert);
			expect({ now, alerts: told.sort() }).toEqual({ now, alerts: [...expected].sort() });
			for (const alert of told) kinds.add(alert.replace(/ \S+$/, ''));
		}
		expect(kinds.size).toBeGreaterThan(7);
	});

	test('a payout that nobody ordered is an alert within two minutes, by the first of fifty events of its wallet and no other', () => {
		const strangers = world.faults.filter(({ name, movement }) => name === 'intrude' && movement.name !== '');
		expect(strangers.length).toBeGreaterThan(0);
		for (const { movement } of strangers) {
			const first = world.batches.findIndex(({ rows }) => rows[0]?.reference === movement.name);
			const { counterpart } = world.batches[first]!.rows[0]!;
			const events = world.batches
				.map(({ items, rows }, index) => ({ event: items[0]?.event, row: rows[0], index }))
				.filter(({ event, row }) => event === 'crypto_payout_update' && row!.counterpart === counterpart)
				.filter(({ index }) => index >= first)
				.slice(0, 50);
			const toldBy: number[] = [];
			const seen = new Set<string>();
			for (const { row, index } of events) {
				const { now, rows } = world.batches[index]!;
				// The example waits ten seconds, for the result of a payment that is younger than its event.
				const later = new Date(Date.parse(now) + 10_000).toISOString();
				const book = world.batches.filter((batch) => batch.now <= later).flatMap((batch) => batch.rows);
				const alike = book.filter(
					(each) => each.reference === row!.reference || each.counterpart === counterpart,
				);
				for (const { alert } of alertsOf(alike, later))
					if (alert.startsWith('not ordered ') && !seen.has(alert)) {
						seen.add(alert);
						toldBy.push(index);
						expect([rows[0]!.reference, alert]).toEqual([movement.name, `not ordered ${movement.name}`]);
					}
			}
			expect(toldBy).toEqual([first]);
		}
	});
});
