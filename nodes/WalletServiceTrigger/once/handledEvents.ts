/**
 * Second layer, in the first step of an execution: a row for each event, which lasts over a restart and is shared by all workers. It
 * stays for this day and the next. Its place is given by the first two bytes of a digest. Its texts are the event and the execution
 * that handles it. The event at a place that was made first stays there; another one takes the next place that is free.
 *
 * To ask a row, n8n adds what is missing, and `make` takes it back. So a row may have the event of another execution for a moment,
 * or for good after a kill. That loses no event: only an execution that handles this event itself has written so, and of two that
 * ask at once, the one whose question n8n reads first does not see the other.
 */
import { BYTES, bytesOf, dayOf, DayRows } from '../../shared/store/dayRows.ts';
import type { Place } from '../../shared/store/dayRows.ts';
import type { RowName, Rows } from '../../shared/store/rows.ts';

/** An event and the execution that asks for it. */
interface Question {
	key: string;
	executionId: string;
}

/** `free`: nobody has handled it. `own`: this execution was started before. `taken`: by another event. */
type Answer = 'free' | 'own' | 'handled' | 'taken';

/** Events of a place. More are not remembered: above some 500,000 in a day, asking for one takes too long. */
const MAX_EVENTS = 12;

const days = new DayRows({
	kind: 'events of day',
	bytes: 1,
	keptDays: 1,
	clear: async (rows, end) => {
		for (const byte of BYTES) await clearPlace(rows, nameOfPlace(end, byte));
	},
});

/** Whether the event was handled before. In doubt it was not, because a duplicate is better than a lost event. */
export async function wasHandled(
	trigger: string,
	rows: Rows,
	key: string,
	executionId: string,
	now = Date.now(),
): Promise<boolean> {
	const question = { key, executionId };
	const today = { about: [trigger], day: dayOf(now) };
	const yesterday = { about: [trigger], day: today.day - 1 };
	if (await days.hasDay(rows, yesterday)) {
		const answer = await lookUp(rows, placeOf(yesterday, question), question);
		if (answer !== 'free') return answer === 'handled';
	}
	await days.open(rows, today, key);
	return (await claim(rows, placeOf(today, question), question)) === 'handled';
}

/** The name of the place of an event, to which the number of the row is added. */
function placeOf(day: Place, { key }: Question): RowName {
	return nameOfPlace(days.endOf(day, key), bytesOf(key, 2)[1]!);
}

function nameOfPlace(end: RowName, byte: string): RowName {
	return [...end, 'event', byte];
}

/** Makes the row of the event, at the first free place, unless it has one. */
async function claim(rows: Rows, place: RowName, question: Question): Promise<Answer> {
	for (let number = 0; number < MAX_EVENTS; number += 1) {
		const answer = await ask(rows, [...place, String(number)], question);
		if (answer !== 'taken') return answer;
	}
	return 'free';
}

/** Looks for the row of the event, and makes none. */
async function lookUp(rows: Rows, place: RowName, question: Question): Promise<Answer> {
	for (let number = 0; number < MAX_EVENTS; number += 1) {
		const name = [...place, String(number)] as RowName;
		if (!(await rows.exists(name))) return 'free';
		const answer = await ask(rows, name, question);
		if (answer !== 'taken') return answer;
	}
	return 'free';
}

/** Makes the row if it is free. */
async function ask(rows: Rows, name: RowName, { key, executionId }: Question): Promise<Answer> {
	const made = await rows.make(name, key, executionId);
	switch (made.is) {
		case 'made':
			return 'free';
		case 'mine':
			return 'own';
		case 'others':
			return made.missing.includes(key) ? 'taken' : 'handled';
	}
}

/** Deletes the rows of a place from the last one on, so that a kill leaves no gap. */
async function clearPlace(rows: Rows, place: RowName): Promise<void> {
	const names: RowName[] = [];
	for (let name: RowName = [...place, '0']; await rows.exists(name); name = [...place, String(names.length)])
		names.push(name);
	for (const name of names.reverse()) await rows.delete(name);
}
