/** Days and times in the time zone of a workflow. */
import { dayIn, minuteIn, timeZoneOf } from '../../nodes/shared/timeZone.ts';

const zone = (name: string) => timeZoneOf({ getTimezone: () => name });

test('a day and a minute are those of the time zone', () => {
	const time = new Date('2026-11-27T23:30:01Z');
	// Lagos is an hour ahead of UTC, the whole year.
	expect(dayIn(zone('Africa/Lagos'), time)).toBe('2026-11-28');
	expect(minuteIn(zone('Africa/Lagos'), time)).toBe('2026-11-28 00:31 (Africa/Lagos)');
});

test('a name that is no time zone counts as UTC', () => {
	expect(zone('DEFAULT')).toBe('UTC');
	expect(dayIn(zone('DEFAULT'), new Date('2026-11-27T23:30:00Z'))).toBe('2026-11-27');
});

test('the days of 1,000 payments in one time zone make two formats at most: each takes long', () => {
	const made = jest.spyOn(Intl, 'DateTimeFormat');
	for (let payment = 0; payment < 1000; payment += 1) dayIn(zone('Asia/Kolkata'), new Date(payment * 1e7));
	expect(made.mock.calls.length).toBeLessThanOrEqual(2);
	made.mockRestore();
});
