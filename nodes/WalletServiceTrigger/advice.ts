/**
 * What the user reads of a search for settings. It holds names and formats only: no value of a header, no secret, nothing of the
 * body. n8n shows the description of an error as HTML, in which only `<br>` ends a line.
 */
import { valueOf } from '../../api/signature/readSettings.ts';
import { SETTINGS } from '../../api/signature/settings.ts';
import type { Setting, VerificationSettings } from '../../api/signature/settings.ts';
import { secondsAway, styleOf } from './findSettings/findSettings.ts';
import type { Finding, Fit } from './findSettings/findSettings.ts';
import { usesSecret } from './findSettings/keys.ts';
import { FOUND, NOTICES } from './messages.ts';

type Name = Exclude<keyof VerificationSettings, 'webhookStyle'>;

/** What each way to verify reads, in the order of the form. */
const READ: Readonly<Record<string, readonly Name[]>> = {
	token: ['webhookVerification', 'webhookHeader'],
	hmac: [
		...(['webhookVerification', 'webhookHeader', 'webhookAlgorithm', 'webhookSecretEncoding'] as const),
		...(['webhookPayload', 'webhookSignatureFormat', 'webhookIdHeader', 'webhookTimestampHeader'] as const),
	],
	publicKey: [
		...(['webhookVerification', 'webhookPublicKey', 'webhookHeader'] as const),
		...(['webhookPayload', 'webhookSignatureFormat', 'webhookIdHeader', 'webhookTimestampHeader'] as const),
	],
};

/** `credential` is the one that refused the delivery at `now`, in milliseconds since 1970. `address`: of the trigger. */
interface Refused {
	credential: VerificationSettings;
	address: string;
	now: number;
}

export function adviceOf(finding: Finding, refused: Refused): string {
	const { credential } = refused;
	const isSecret = usesSecret(credential);
	switch (finding.outcome) {
		case 'fits':
			return lines(
				FOUND.fits,
				...changes(finding, credential),
				...warnings(finding, refused),
				FOUND.anotherMustPass,
				isSecret && finding.settings.webhookPublicKey === undefined ? FOUND.secretProves : FOUND.keyProves,
			);
		case 'rewritten': {
			const changed = changes(finding, credential);
			return lines(
				FOUND.rewritten,
				...(changed.length > 0 ? [FOUND.beside, ...changed] : []),
				NOTICES.afterRefusal,
			);
		}
		case 'nothing':
			return lines(isSecret ? FOUND.noSecretFits : FOUND.noKeyFits, NOTICES.afterRefusal);
		case 'noSignature':
			return lines(FOUND.noSignature, NOTICES.afterRefusal);
		case 'sha1':
			return lines(FOUND.sha1, NOTICES.afterRefusal);
		case 'shortSecret':
			return lines(FOUND.secretIsShort, NOTICES.afterRefusal);
		case 'stopped':
			return FOUND.stopped;
	}
}

const lines = (...parts: string[]): string => parts.join('<br>');

/** Each setting that differs, in the order of the form. */
function changes({ settings }: Fit, credential: VerificationSettings): string[] {
	const style = styleOf(settings) ?? 'custom';
	const chosen: VerificationSettings = { ...settings, webhookStyle: style };
	const names: ReadonlyArray<Name | 'webhookStyle'> = [
		'webhookStyle',
		...(style === 'custom' ? (READ[settings.webhookVerification ?? ''] ?? []) : []),
	];
	return names
		.filter((name) => isGiven(name, settings) && valueOf(chosen, name) !== shownIn(credential, name))
		.map((name) => {
			const { label }: Setting = SETTINGS[name];
			// The key that stands in the field of the secret. It is not repeated.
			if (name === 'webhookPublicKey') return FOUND.moveKey;
			const value = String(valueOf(chosen, name));
			return value === '' ? FOUND.clear(label) : FOUND.set({ label, value: escaped(wordOf(name, value)) });
		});
}

/** The key is the user's, unless it was found in another field. */
const isGiven = (name: Name | 'webhookStyle', settings: VerificationSettings) =>
	name !== 'webhookPublicKey' || settings.webhookPublicKey !== undefined;

/** What the form shows of a setting, once its field is visible. */
function shownIn(credential: VerificationSettings, name: Name | 'webhookStyle'): unknown {
	const { whenNew }: Setting = SETTINGS[name];
	if (name === 'webhookPublicKey') return undefined;
	return credential[name] === undefined && whenNew !== undefined ? whenNew : valueOf(credential, name);
}

function wordOf(name: Name | 'webhookStyle', value: string): string {
	const { choices }: Setting = SETTINGS[name];
	return choices?.[value]?.name ?? value;
}

const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What is weaker than it could be, or does not last. */
function warnings({ settings, time }: Fit, { credential, address, now }: Refused): string[] {
	const tolerance = valueOf(credential, 'webhookTolerance');
	const payload = settings.webhookPayload ?? '';
	const isAddressSigned = URL.canParse(address) && payload.includes(new URL(address).pathname);
	const seconds = time === undefined ? 0 : secondsAway(time, now);
	return [
		...(isAddressSigned ? [FOUND.addressIsSigned] : []),
		...(settings.webhookVerification === 'token'
			? [FOUND.isToken]
			: time === undefined
				? [FOUND.timeIsNotSigned]
				: []),
		...(tolerance > 0 && seconds > tolerance ? [FOUND.isOld(String(seconds))] : []),
	];
}
