/**
 * Finds the settings with which the secret or key of a credential verifies a delivery. Only what the secret or key proves counts:
 * a stranger can make everything else of a delivery.
 */
import { hmacCheck } from '../../../api/signature/hmac.ts';
import { valueOf } from '../../../api/signature/readSettings.ts';
import { WEBHOOK_STYLES } from '../../../api/signature/settings.ts';
import type { VerificationSettings } from '../../../api/signature/settings.ts';
import { BODY_TOKENS, fillTemplate, parseTemplate } from '../../../api/signature/template.ts';
import type { PayloadPart } from '../../../api/signature/template.ts';
import { readTime } from '../../../api/signature/time.ts';
import { compileVerifier } from '../../../api/signature/verifier.ts';
import type { Delivery } from '../../../api/signature/verifier.ts';
import { Budget } from './budget.ts';
import { attempt, isSecretUsable, keysOf, secretsOf, usesSecret } from './keys.ts';
import type { Key } from './keys.ts';
import { payloadsFor, USUAL_PAYLOADS } from './payloads.ts';
import { commonBeginning, placesIn } from './places.ts';
import type { Named, Place, Places } from './places.ts';
import { rewritesOf } from './rewrites.ts';

/** Settings that verify a delivery. */
export interface Fit {
	/** Without the style. `webhookPublicKey` is there if it stands in the field of the secret. */
	settings: VerificationSettings;
	/** The time of the delivery, if it is signed. */
	time?: string;
}

/** What a search ends with. `rewritten`: the body fits as it was before something wrote its JSON anew. */
export type Finding =
	| ({ outcome: 'fits' | 'rewritten' } & Fit)
	| { outcome: 'sha1' | 'nothing' | 'noSignature' | 'shortSecret' | 'stopped' };

/** `address`: the trigger's own, which some services sign. */
interface Circumstances {
	address: string;
	budget?: Budget;
}

export async function findSettings(
	credential: VerificationSettings,
	delivery: Delivery,
	{ address, budget = new Budget() }: Circumstances,
): Promise<Finding> {
	if (usesSecret(credential) && !isSecretUsable(credential)) return { outcome: 'shortSecret' };
	const places = placesIn(delivery);
	const search = { credential, delivery, places, keys: keysOf(credential), budget };
	const fit = await findSignature(search, payloadsFor(address));
	if (fit !== undefined && fit !== 'stopped') return { outcome: 'fits', ...fit };
	const token = await findToken(search);
	if (token !== undefined) return { outcome: 'fits', ...token };
	if (fit === 'stopped') return { outcome: 'stopped' };
	if (places.signed.length === 0) return { outcome: 'noSignature' };

	for (const body of rewritesOf(delivery.body)) {
		const rewritten = await findSignature({ ...search, delivery: { ...delivery, body } }, USUAL_PAYLOADS);
		if (rewritten === 'stopped') return { outcome: 'stopped' };
		if (rewritten !== undefined) return { outcome: 'rewritten', ...rewritten };
	}
	return { outcome: (await isSignedWithSha1(search)) ? 'sha1' : 'nothing' };
}

interface Search {
	credential: VerificationSettings;
	delivery: Delivery;
	places: Places;
	keys: Key[];
	budget: Budget;
}

/** A text that is signed with the delivery: a time or an ID. '' if there is none. */
interface Values {
	timestamp: string;
	id: string;
}

const templateOf = (payload: string) => parseTemplate(payload, '', ['timestamp', 'id', ...BODY_TOKENS]);

/** The distinct texts that a payload can hold in these headers. */
function* valuesFor(payload: string, { signed, times, ids }: Places): Generator<Values> {
	const own = signed.flatMap((place) => place.own?.time ?? []);
	const distinct = (values: string[]) => [...new Set(values)].slice(0, 3);
	const timestamps = payload.includes('{timestamp}')
		? distinct([...own, ...times.map(({ value }) => value)])
		: [''];
	const likely = USUAL_PAYLOADS.includes(payload) ? ids : ids.slice(0, 1);
	const named = payload.includes('{id}') ? distinct(likely.map(({ value }) => value)) : [''];
	for (const timestamp of timestamps) for (const id of named) yield { timestamp, id };
}

/** The first payload that a key has signed. A signed time is preferred, so after a fit without one the search goes on elsewhere. */
async function findSignature(search: Search, payloads: string[]): Promise<Fit | 'stopped' | undefined> {
	let { signed } = search.places;
	let best: Fit | undefined;
	for (const payload of payloads) {
		if (best !== undefined && !payload.includes('{timestamp}')) continue;
		const template = templateOf(payload);
		for (const values of valuesFor(payload, search.places)) {
			let parts: PayloadPart[] | undefined;
			for (const key of search.keys)
				for (const signatures of groupsOf(signed, key)) {
					if (!(await search.budget.take())) return best ?? 'stopped';
					// A digest of the body costs as much as a signature, so it is a part of a try.
					parts ??= fillTemplate(template, { ...values }, search.delivery.body);
					if (!key.check(parts, signatures)) continue;
					const fit = await confirm({ ...search, places: { ...search.places, signed } }, payload, {
						key,
						values,
					});
					if (fit === undefined) continue;
					if (values.timestamp !== '') return fit;
					best = fit;
					signed = signed.filter(({ header }) => header !== fit.settings.webhookHeader);
				}
		}
		if (signed.length === 0) break;
	}
	return best;
}

/** The signatures that a key may have made, as many together as one check compares. */
function groupsOf(signed: Place[], { length, atOnce }: Key): Buffer[][] {
	const all = signed
		.flatMap(({ signatures }) => signatures)
		.filter((signature) => length === undefined || signature.length === length)
		// One header can repeat a signature.
		.slice(0, 32);
	if (all.length === 0 || atOnce > 1) return all.length === 0 ? [] : [all];
	return all.map((signature) => [signature]);
}

interface Match {
	key: Key;
	values: Values;
}

/** Asks the verifier itself about each way to read what fits, the best one first. */
async function confirm(search: Search, payload: string, { key, values }: Match): Promise<Fit | undefined> {
	const { credential, delivery, budget } = search;
	for (const read of waysToRead(search.places, values)) {
		const settings: VerificationSettings = { ...key.settings, webhookPayload: payload, ...read };
		const chosen = { ...credential, ...defaults, ...settings, webhookStyle: 'custom' as const };
		// Whether the time is near is another question.
		const verify = attempt(() => compileVerifier({ ...chosen, webhookTolerance: 0 }));
		if (verify === undefined) continue;
		if (!(await budget.take())) return undefined;
		if (!verify(delivery, 0).ok) continue;
		return { settings, ...(values.timestamp !== '' && { time: values.timestamp }) };
	}
	return undefined;
}

/** What the found settings leave out is not what the credential has. */
const defaults: VerificationSettings = {
	webhookTimestampHeader: '',
	webhookIdHeader: '',
	webhookAlgorithm: 'sha256',
	webhookSecretEncoding: 'utf8',
};

type Reading = Pick<
	VerificationSettings,
	'webhookHeader' | 'webhookSignatureFormat' | 'webhookTimestampHeader' | 'webhookIdHeader'
>;

/** By the time in the signature's own header, names that begin alike, a style, and the longer format. */
function waysToRead({ signed, times, ids }: Places, { timestamp, id }: Values): Reading[] {
	const holding = (named: Named[], value: string) =>
		value === '' ? [''] : named.filter((each) => each.value === value).map(({ header }) => header);
	const ways = signed.flatMap((place) => {
		const own = place.own?.time === timestamp ? [{ format: place.own.format, timeHeader: '' }] : [];
		const apart = holding(times, timestamp).map((timeHeader) => ({ format: place.format, timeHeader }));
		return [...(timestamp === '' ? [] : own), ...apart].flatMap(({ format, timeHeader }) =>
			holding(ids, id).map((idHeader) => ({ header: place.header, format, timeHeader, idHeader })),
		);
	});
	const likeness = ({ header, timeHeader, idHeader }: (typeof ways)[number]) =>
		commonBeginning(header, timeHeader) + commonBeginning(header, idHeader);
	return ways
		.toSorted(
			(one, other) =>
				Number(one.timeHeader !== '') - Number(other.timeHeader !== '') ||
				likeness(other) - likeness(one) ||
				other.format.length - one.format.length,
		)
		.map(({ header, format, timeHeader, idHeader }) => ({
			webhookHeader: header,
			webhookSignatureFormat: format,
			webhookTimestampHeader: timeHeader,
			webhookIdHeader: idHeader,
		}));
}

/** The style that these settings are, if they are one. */
export function styleOf(settings: VerificationSettings): keyof typeof WEBHOOK_STYLES | undefined {
	const names = [
		...(['webhookVerification', 'webhookHeader', 'webhookAlgorithm', 'webhookSecretEncoding'] as const),
		...(['webhookPayload', 'webhookSignatureFormat', 'webhookIdHeader', 'webhookTimestampHeader'] as const),
	];
	const styles = Object.keys(WEBHOOK_STYLES) as Array<keyof typeof WEBHOOK_STYLES>;
	return styles.find((style) =>
		names.every((name) => valueOf(WEBHOOK_STYLES[style], name) === valueOf(settings, name)),
	);
}

/** A header that holds the secret itself. A public key is no token. */
async function findToken({ credential, delivery, places, budget }: Search): Promise<Fit | undefined> {
	if (!usesSecret(credential)) return undefined;
	const { webhookSecret = '' } = credential;
	for (const { header, value } of places.all) {
		if (value.length !== webhookSecret.length || !(await budget.take())) continue;
		const settings = { webhookVerification: 'token', webhookHeader: header } as const;
		const chosen = { ...credential, ...settings, webhookStyle: 'custom' as const };
		if (attempt(() => compileVerifier(chosen)(delivery, 0).ok)) return { settings };
	}
	return undefined;
}

/** A hash that the product does not accept, but that shows that the secret is right. */
async function isSignedWithSha1({ credential, delivery, places, budget }: Search): Promise<boolean> {
	if (!usesSecret(credential)) return false;
	const signatures = places.signed.flatMap((place) => place.signatures).filter(({ length }) => length === 20);
	if (signatures.length === 0) return false;
	const checks = secretsOf(credential.webhookSecret ?? '').map(({ bytes }) => hmacCheck(bytes, 'sha1'));
	for (const payload of USUAL_PAYLOADS)
		for (const values of valuesFor(payload, places)) {
			let parts: PayloadPart[] | undefined;
			for (const check of checks) {
				if (!(await budget.take())) return false;
				parts ??= fillTemplate(templateOf(payload), { ...values }, delivery.body);
				if (check(parts, signatures)) return true;
			}
		}
	return false;
}

/** How many seconds a signed time is away from `now`. */
export function secondsAway(time: string, now: number): number {
	return Math.round(Math.abs(now - readTime(time)) / 1000);
}
