/** What services sign, most usual first, as the setting Webhook Payload says it. An ID stands beside a signed time only. */

const ID_AND_TIME = ['{id}.{timestamp}.{body}', '{timestamp}.{id}.{body}'];

const TIME = [
	'{timestamp}.{body}',
	'{timestamp}{body}',
	'{timestamp}:{body}',
	'{timestamp}|{body}',
	'v0:{timestamp}:{body}',
	'v1:{timestamp}:{body}',
	'v1.{timestamp}.{body}',
	'{body}{timestamp}',
	'{body}.{timestamp}',
	'{timestamp}\\n{body}',
	'{timestamp}.{bodySha256}',
	'{timestamp}{bodySha256}',
];

const BODY = ['{body}', '{bodySha256}', '{bodySha512}'];

/** Enough to recognize a secret. */
export const USUAL_PAYLOADS = [...ID_AND_TIME, ...TIME, ...BODY];

const SEPARATORS = ['.', ':', '|', '\\n', '-', '_', ',', ';', '/', '&', ' ', '+', '#', '__', '::', '||', ''];

const [RAW, DIGEST] = BODY as [string, string];
const JOINED = SEPARATORS.flatMap((separator) => [
	...BODY.flatMap((body) => [`{timestamp}${separator}${body}`, `${body}${separator}{timestamp}`]),
	// Without a separator it is not clear where an ID ends.
	...(separator === '' ? [] : [RAW, DIGEST]).flatMap((body) =>
		[
			['{id}', '{timestamp}', body],
			['{timestamp}', '{id}', body],
			['{timestamp}', body, '{id}'],
		].map((parts) => parts.join(separator)),
	),
]);

/** Some services also sign the address of the webhook, or its path, and the method. */
function withAddress(address: string): string[] {
	// A brace would begin a token, and a backslash a line feed.
	if (!URL.canParse(address) || /[{}\\]/.test(address)) return [];
	const { pathname } = new URL(address);
	const begins = [address, pathname].flatMap((place) => [[place], ['POST', place]]);
	return begins.flatMap((begin) =>
		['', '.', ':', '|', '\\n'].flatMap((separator) => [
			['{timestamp}', ...begin, '{body}'].join(separator),
			['{timestamp}', ...begin, '{bodySha256}'].join(separator),
			[...begin, '{body}', '{timestamp}'].join(separator),
			[...begin, '{timestamp}', '{body}'].join(separator),
			[...begin, '{body}'].join(separator),
			['{body}', ...begin].join(separator),
		]),
	);
}

/** All of them, in the order in which they are tried. `address` is the trigger's own. */
export function payloadsFor(address: string): string[] {
	return [...new Set([...USUAL_PAYLOADS, ...JOINED, ...withAddress(address)])];
}
