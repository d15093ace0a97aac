/** Where the headers of a delivery may hold a signature, a time and an ID. Any header may be hostile. */
import type { Delivery } from '../../../api/signature/verifier.ts';
import { formsOf } from '../../../api/signature/verifier.ts';
import { readTime } from '../../../api/signature/time.ts';

/** A header with texts that can be signatures, all in one format. */
export interface Place {
	header: string;
	/** As the setting Webhook Signature Format says it. */
	format: string;
	signatures: Buffer[];
	/** A time beside the signature, and the format that reads both. */
	own?: { time: string; format: string };
}

/** A header whose value is a time, or an ID. */
export interface Named {
	header: string;
	value: string;
}

export interface Places {
	signed: Place[];
	times: Named[];
	ids: Named[];
	/** Of all headers that are looked at. */
	all: Named[];
}

const MAX_HEADERS = 200;
const MAX_PLACES = 16;
const MAX_ITEMS = 32;
const MAX_LENGTH = 4096;
const MAX_VALUES = 3;

/** What may be shown of a header: names and labels as services choose them. A longer or odder one could be a secret or a message. */
const NAME = /^[a-z][\w-]{0,47}$/i;
const LABEL = '[A-Za-z]{1,10}(?:[-_][A-Za-z]{1,10})?\\d{0,3}[A-Za-z]?';
const ONLY_LABEL = new RegExp(`^${LABEL}$`);
const LABELLED = new RegExp(`^(${LABEL}[=:])(.+)$`);
const UNFINISHED = new RegExp(`^${LABEL}[=:]$`);

/** Of HTTP and of what stands between sender and receiver. */
const NEVER = new Set([
	'host',
	'connection',
	'via',
	'forwarded',
	'date',
	'cookie',
	'origin',
	'referer',
	'traceparent',
	'tracestate',
	'accept',
	'user-agent',
	'transfer-encoding',
]);
const NEVER_WITH = /^(?:content|accept|x-forwarded|cf|sec)-/;

export function placesIn({ headers }: Pick<Delivery, 'headers'>): Places {
	const all = Object.entries(headers)
		.slice(0, MAX_HEADERS)
		.flatMap(([header, value]) =>
			typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH && isShown(header)
				? [{ header, value }]
				: [],
		);
	const signed = all
		.toSorted((one, other) => rankOf(one.header) - rankOf(other.header))
		.flatMap(signaturesIn)
		.slice(0, MAX_PLACES);
	const likeliest = (found: Named[]) =>
		found
			.toSorted((one, other) => nearness(other.header, signed) - nearness(one.header, signed))
			.slice(0, MAX_VALUES);
	const times = likeliest(all.filter(({ value }) => isTime(value)));
	const ids = likeliest(all.filter(({ header, value }) => isId(header, value)));
	return { signed, times, ids, all };
}

const isShown = (header: string) => NAME.test(header) && !NEVER.has(header) && !NEVER_WITH.test(header);

const rankOf = (header: string) =>
	/sign|sig$|hmac|hash|digest/.test(header) ? 0 : /hook|auth|verif|token|event/.test(header) ? 1 : 2;

const isTime = (text: string) => text.length <= 40 && !Number.isNaN(readTime(text));

/** A short ID could be a word that is always signed, such as a version. */
const isId = (header: string, value: string) =>
	/(?:^|[-_])(?:\w*id|nonce|delivery|reference)$|idempotency/.test(header) &&
	/^[!-~]{8,200}$/.test(value) &&
	!isTime(value);

/** How many characters at its beginning a header has in common with one that holds a signature. */
function nearness(header: string, signed: Place[]): number {
	return Math.max(0, ...signed.map((place) => commonBeginning(header, place.header)));
}

export function commonBeginning(one: string, other: string): number {
	const at = [...one].findIndex((character, index) => character !== other[index]);
	return at < 0 ? one.length : at;
}

/** The bytes that a text may be as a signature. Undefined if no kind of signature has this length. */
function signatureOf(text: string): Buffer | undefined {
	const [bytes] = formsOf(text);
	if (bytes === undefined) return undefined;
	const { length } = bytes;
	// SHA-1; HMAC, P-256 and Ed25519; P-256 as a sequence; RSA.
	const isUsual = [20, 32, 48, 64].includes(length) || (length >= 68 && length <= 72);
	return isUsual || [256, 384, 512].includes(length) ? bytes : undefined;
}

/** The signatures in a header, by their format. */
function signaturesIn({ header, value }: Named): Place[] {
	const places = new Map<string, Place>();
	// Items and, between them, what separates them.
	const pieces = value.split(/([\s,;]+)/, 2 * MAX_ITEMS);
	const items = pieces.filter((piece, at) => at % 2 === 0 && piece !== '');
	const time = labelledTime(items);
	for (const [at, piece] of pieces.entries()) {
		if (at % 2 === 1) continue;
		for (const found of readItem(piece, pieces[at - 2] ?? '', pieces[at - 1] ?? '')) {
			const isLabelled = LABELLED.test(found.format) && found.own === undefined;
			const comma = value.includes(';') ? ';' : ',';
			const own =
				time !== undefined && isLabelled
					? { time: time.time, format: `${time.label}{timestamp}${comma}${found.format}` }
					: found.own;
			const key = `${found.format} ${own?.format}`;
			const place = places.get(key) ?? { header, format: found.format, signatures: [], own };
			place.signatures.push(found.signature);
			places.set(key, place);
		}
	}
	return [...places.values()];
}

/** An item such as `t=1767225600`. */
function labelledTime(items: string[]): { label: string; time: string } | undefined {
	for (const item of items) {
		const [, label = '', time = ''] = LABELLED.exec(item) ?? [];
		if (isTime(time)) return { label, time };
	}
	return undefined;
}

interface Found extends Pick<Place, 'format' | 'own'> {
	signature: Buffer;
}

/** What an item of a header holds. `before` stands before it, and `separator` between them. */
function readItem(item: string, before: string, separator: string): Found[] {
	const [, label = '', labelled = ''] = LABELLED.exec(item) ?? [];
	const beside = separator.includes(',') ? ',' : separator.includes(';') ? ';' : ' ';
	const alone = signatureOf(item);
	if (alone !== undefined) {
		// `sha256= 5257a8…`, `v1,5257a8…`, or a time before the signature.
		if (UNFINISHED.test(before)) return [{ format: `${before}{signature}`, signature: alone }];
		if (ONLY_LABEL.test(before) && signatureOf(before) === undefined)
			return [{ format: `${before}${beside}{signature}`, signature: alone }];
		const own = isTime(before) ? { time: before, format: `{timestamp}${beside}{signature}` } : undefined;
		return [{ format: '{signature}', signature: alone, own }];
	}
	const signature = signatureOf(labelled);
	if (signature !== undefined) return [{ format: `${label}{signature}`, signature }];
	return [...timeAndSignature(item, ''), ...timeAndSignature(labelled, label)];
}

/** Both in one item, such as `1767225600.5257a8…` or the other way round. */
function timeAndSignature(text: string, label: string): Found[] {
	// A time may have these signs, too; a signature has none.
	const ends = [/^([^.:|~]+)([.:|~])(.+)$/, /^(.+)([.:|~])([^.:|~]+)$/];
	return ends.flatMap((pattern, at) => {
		const [, first = '', sign = '', last = ''] = pattern.exec(text) ?? [];
		const [one, time, order] =
			at === 0
				? [first, last, ['{signature}', '{timestamp}']]
				: [last, first, ['{timestamp}', '{signature}']];
		const signature = signatureOf(one);
		if (signature === undefined || !isTime(time)) return [];
		const format = label + order.join(sign);
		return [{ format, signature, own: { time, format } }];
	});
}
