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
	const options = Object.entries<Words>(words).map(([value, shown]) => {
		const [title, description] = [shown].flat();
		return { name: title ?? value, value, ...(description && { description }) };
	});
	return { displayName: label, name, type: 'options', default: first, options, ...extra };
}

export const secretEncodingField = (name: 'signatureSecretEncoding' | 'webhookSecretEncoding') =>
	choiceField(
		name,
		{ base64: 'Base64', hex: 'Hex', utf8: 'UTF-8' },
		{ description: 'How the secret is written. Choose UTF-8 to use its characters unchanged.' },
	);

export const algorithmField = (name: 'signatureAlgorithm' | 'webhookAlgorithm') =>
	choiceField(name, { sha256: 'HMAC-SHA256', sha384: 'HMAC-SHA384', sha512: 'HMAC-SHA512' });

type ShowCondition = NonNullable<INodeProperties['displayOptions']>['show'];

/** The fields, visible only if other fields have certain values. A field may have conditions of its own. */
export function showWhen(show: ShowCondition, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((shown) => ({
		...shown,
		displayOptions: { show: { ...show, ...shown.displayOptions?.show } },
	}));
}

/** The condition that a field is filled in. */
export const FILLED_IN = [{ _cnd: { exists: true as const } }];
