/** Makes the fields of the form from the table of settings. */
import type { INodeProperties } from 'n8n-workflow';

import { SETTINGS } from '../../api/signature/settings.ts';
import type { ChoiceName, SettingName, Value } from '../../api/signature/settings.ts';

type Extra = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type'>>;

/** A text or a number. What starts with a text may not be cleared. */
export function field(name: Exclude<SettingName, ChoiceName>, extra: Extra = {}): INodeProperties {
	const setting: { label: string; default?: string | number; secret?: true } = SETTINGS[name];
	return {
		displayName: setting.label,
		name,
		type: typeof setting.default === 'number' ? 'number' : 'string',
		...(setting.secret && { typeOptions: { password: true } }),
		...(typeof setting.default === 'string' && { required: true }),
		default: setting.default ?? '',
		...extra,
	};
}

/** A name, and a description if the name does not say everything. */
type Words = string | [name: string, description: string];

/** A choice. Every value needs words, sorted by name as n8n wants it. */
export function choiceField<Name extends ChoiceName>(
	name: Name,
	words: Record<Value<Name> & string, Words>,
	extra: Extra = {},
): INodeProperties {
	const { label, default: first } = SETTINGS[name];
	const options = Object.entries<Words>(words).map(([value, shown]) =>
		typeof shown === 'string' ? { name: shown, value } : { name: shown[0], value, description: shown[1] },
	);
	return { displayName: label, name, type: 'options', default: first, options, ...extra };
}

export const SECRET_ENCODINGS = { base64: 'Base64', hex: 'Hex', utf8: 'UTF-8' };
export const SECRET_ENCODING = {
	description: 'How the secret is written. Choose UTF-8 to use its characters unchanged.',
};
export const DIGESTS = { sha256: 'HMAC-SHA256', sha384: 'HMAC-SHA384', sha512: 'HMAC-SHA512' };
export const SIGNATURE_ENCODINGS = {
	base64: 'Base64',
	base64url: 'Base64 URL',
	hex: 'Hex',
	hexUpper: 'Hex, Upper Case',
};

const example = (text: string): string => `Such as ${text}`;
export const TIME_FORMATS: Record<Exclude<Value<'timestampFormat'>, 'static'>, Words> = {
	httpDate: ['HTTP Date', example('Sat, 31 Jan 2026 12:00:00 GMT')],
	iso8601: ['ISO 8601', example('2026-01-31T12:00:00.000Z')],
	iso8601NoZone: ['ISO 8601, Seconds, No Zone', example('2026-01-31T12:00:00, in UTC')],
	iso8601Seconds: ['ISO 8601, Seconds', example('2026-01-31T12:00:00Z')],
	unixMilliseconds: ['Unix Milliseconds', example('1767225600000')],
	unixSeconds: ['Unix Seconds', example('1767225600')],
};

type ShowCondition = NonNullable<INodeProperties['displayOptions']>['show'];

/** The fields, visible only if other fields have certain values. A field may have conditions of its own. */
export function showWhen(show: ShowCondition, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((shown) => ({
		...shown,
		displayOptions: { show: { ...show, ...shown.displayOptions?.show } },
	}));
}
