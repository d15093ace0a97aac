/** The ways in which a time is written, in requests and in deliveries. */

interface TimeFormat {
	/** `now` in milliseconds since 1970. */
	write: (now: number) => string;
	/** Each length has one meaning, so no digit can be added or taken away. Unix times keep their length until 2286. */
	shape: RegExp;
	/** Milliseconds since 1970. NaN for a date that does not exist. */
	read: (text: string) => number;
	/** Examples with 0 for each digit: the longest form, and the end of the shorter ones. */
	characters: readonly string[];
}

const iso = (now: number) => new Date(now).toISOString();
const ISO: TimeFormat = {
	write: iso,
	shape: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/,
	read: Date.parse,
	characters: ['0000-00-00T00:00:00.000000000+00:00', '00Z'],
};

export const TIME_FORMATS = {
	httpDate: {
		write: (now) => new Date(now).toUTCString(),
		shape: /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
		read: Date.parse,
		characters: ['Mon, 00 Jan 0000 00:00:00 GMT'],
	},
	iso8601: ISO,
	iso8601NoZone: {
		write: (now) => iso(now).slice(0, 19),
		shape: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?$/,
		read: (text) => Date.parse(`${text}Z`),
		characters: ['0000-00-00T00:00:00.000000000'],
	},
	iso8601Seconds: { ...ISO, write: (now) => `${iso(now).slice(0, 19)}Z` },
	unixMilliseconds: unix(13, String, 1),
	unixSeconds: unix(10, (now) => String(Math.floor(now / 1000)), 1000),
} as const satisfies Record<string, TimeFormat>;

function unix(digits: number, write: TimeFormat['write'], milliseconds: number): TimeFormat {
	const shape = new RegExp(`^\\d{${digits}}$`);
	return { write, shape, read: (text) => Number(text) * milliseconds, characters: ['0'.repeat(digits)] };
}

export type TimeFormatName = keyof typeof TIME_FORMATS;

/** `auto` tries the usual ones. */
function formatsOf(name: TimeFormatName | 'auto'): TimeFormat[] {
	const names = name === 'auto' ? (['unixSeconds', 'unixMilliseconds', 'iso8601'] as const) : [name];
	return names.map((known) => TIME_FORMATS[known]);
}

/** Milliseconds since 1970. Undefined if the text is not a time in that format. */
export function readTime(text: string, name: TimeFormatName | 'auto'): number | undefined {
	const time = formatsOf(name)
		.find(({ shape }) => shape.test(text))
		?.read(text);
	return time === undefined || Number.isNaN(time) ? undefined : time;
}

/** Whether a text can stand inside a time of that format. */
export function isPartOfTime(text: string, name: TimeFormatName | 'auto'): boolean {
	const shape = text.replace(/\d/g, '0');
	// Any time has digits; what else it has is known only if the format is.
	const formats = name === 'auto' ? [TIME_FORMATS.unixMilliseconds] : formatsOf(name);
	return formats.some(({ characters }) => characters.some((time) => time.includes(shape)));
}
