/** What the fields for requests and for webhooks have in common. */
import type { INodeProperties } from 'n8n-workflow';

export const SECRET_ENCODING = {
	type: 'options',
	description: 'How the secret is written. Choose UTF-8 to use its characters unchanged.',
	options: [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Hex', value: 'hex' },
		{ name: 'UTF-8', value: 'utf8' },
	],
} satisfies Partial<INodeProperties>;

export const ALGORITHM = {
	type: 'options',
	options: [
		{ name: 'HMAC-SHA256', value: 'sha256' },
		{ name: 'HMAC-SHA384', value: 'sha384' },
		{ name: 'HMAC-SHA512', value: 'sha512' },
	],
} satisfies Partial<INodeProperties>;

export const SIGNATURE_ENCODING = {
	type: 'options',
	options: [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Base64 URL', value: 'base64url' },
		{ name: 'Hex', value: 'hex' },
		{ name: 'Hex, Upper Case', value: 'hexUpper' },
	],
} satisfies Partial<INodeProperties>;

type ShowCondition = NonNullable<INodeProperties['displayOptions']>['show'];

/** The fields, visible only if other fields have certain values. A field may have conditions of its own. */
export function showWhen(show: ShowCondition, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: { show: { ...show, ...field.displayOptions?.show } },
	}));
}
