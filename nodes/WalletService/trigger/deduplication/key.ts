/** What the deduplication compares of two deliveries. */
import { hash } from 'node:crypto';

/** Base64 characters of a key, in all layers. 96 bits: nobody can find a second delivery with the same key. */
export const KEY_LENGTH = 16;
/** The first characters of a key stand for the subject, the rest for the content. */
const SUBJECT_LENGTH = 6;

/** The JSON of an item, as the trigger makes it. */
type Item = Record<string, unknown>;

/** Fields of an item that say how it arrived. */
const ARRIVAL = ['receivedAt', 'headers'];
/** Fields that change with the status of a subject that has no ID. */
const STATUS = ['status', 'deliveryKey', 'raw'];

/**
 * The key of a delivery. The subject is what a status belongs to: `event` and `id`, or without an ID all fields except the status.
 * The content is the whole delivery, so a forged one does not hide the genuine one with the same ID. `scope` names one trigger of
 * one workflow.
 */
export function keyOf(scope: string, item: Item): string {
	const content = without(ARRIVAL, item);
	const subject = item.id === undefined ? without(STATUS, content) : [item.event, item.id];
	const subjectPart = digest(scope, subject).slice(0, SUBJECT_LENGTH);
	return subjectPart + digest(scope, content).slice(SUBJECT_LENGTH, KEY_LENGTH);
}

export function subjectOf(key: string): string {
	return key.slice(0, SUBJECT_LENGTH);
}

function without(names: string[], item: Item): Item {
	return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

function digest(scope: string, value: unknown): string {
	return hash('sha256', JSON.stringify([scope, sorted(value)]), 'base64');
}

/** The same value with the members of its objects in the order of their names. */
function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const record = value as Item;
	// A list of names and members, because an object would put names that are numbers first, and could not have a member __proto__.
	const members: unknown[] = [];
	for (const name of Object.keys(record).sort()) members.push(name, sorted(record[name]));
	return { members };
}
