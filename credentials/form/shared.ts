/** What the fields for requests and for webhooks have in common. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { SIGNATURE_DEFAULTS } from '../../api/signature/settings.ts';

/** A setting that the form starts with a value for. */
type Setting = keyof typeof SIGNATURE_DEFAULTS;
type Extra = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'default' | 'type'>>;

/** A text that starts with the default of its setting. It may not be cleared. */
export const textField = (displayName: string, name: Setting, extra: Extra): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	required: true,
	default: SIGNATURE_DEFAULTS[name],
	...extra,
});

/** A choice that starts with the default of its setting. */
export const listField = (
	displayName: string,
	name: Setting,
	options: INodePropertyOptions[],
	extra: Extra = {},
): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	default: SIGNATURE_DEFAULTS[name],
	options,
	...extra,
});

export const secretField = (displayName: string, name: string, extra: Extra = {}): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	typeOptions: { password: true },
	default: '',
	...extra,
});

export const secretEncodingField = (displayName: string, name: Setting): INodeProperties =>
	listField(
		displayName,
		name,
		[
			{ name: 'Base64', value: 'base64' },
			{ name: 'Hex', value: 'hex' },
			{ name: 'UTF-8', value: 'utf8' },
		],
		{ description: 'How the secret is written. Choose UTF-8 to use its characters unchanged.' },
	);

export const algorithmField = (
	displayName: string,
	name: Setting,
	others: INodePropertyOptions[] = [],
): INodeProperties =>
	listField(displayName, name, [
		{ name: 'HMAC-SHA256', value: 'sha256' },
		{ name: 'HMAC-SHA384', value: 'sha384' },
		{ name: 'HMAC-SHA512', value: 'sha512' },
		...others,
	]);

export const signatureEncodingField = (displayName: string, name: Setting): INodeProperties =>
	listField(displayName, name, [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Base64 URL', value: 'base64url' },
		{ name: 'Hex', value: 'hex' },
		{ name: 'Hex, Upper Case', value: 'hexUpper' },
	]);

type ShowCondition = NonNullable<INodeProperties['displayOptions']>['show'];

/** The fields, visible only if other fields have certain values. A field may have conditions of its own. */
export function showWhen(show: ShowCondition, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: { show: { ...show, ...field.displayOptions?.show } },
	}));
}
