/** Builds the item that the workflow receives, and the note beside it. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { toPlain } from '../../api/exact/json.ts';
import type { WebhookEvent } from './parse.ts';

interface ItemOptions {
	deliveryKey: string;
	includeRaw: boolean;
	/** Left out if undefined. */
	headers?: Record<string, unknown>;
	/** Left out if empty. */
	notFiltered?: string[];
}

/** The normalized item. People look for amounts, so the fields of the event come first. */
export function toItem(
	{ event, reading, raw }: WebhookEvent,
	receivedAt: Date,
	{ deliveryKey, includeRaw, headers, notFiltered = [] }: ItemOptions,
): Record<string, unknown> {
	const { id, ...fields } = reading.fields;
	return {
		event,
		...(id ? { id } : {}),
		...fields,
		...(notFiltered.length > 0 ? { notFiltered } : {}),
		deliveryKey,
		receivedAt: receivedAt.toISOString(),
		...(Object.keys(reading.unknown).length > 0 ? { extra: toPlain(reading.unknown) } : {}),
		...(includeRaw ? { raw: toPlain(raw) } : {}),
		...(headers === undefined ? {} : { headers }),
	};
}

/** What `webhook` tells `execute` of a delivery, beside its item. */
export interface Note {
	/** While the user listens for a test event: why the delivery was refused. Its item is empty. */
	refused?: string;
	/** Beside it: which settings would accept the delivery, as HTML. */
	advice?: string;
	/** While the user listens for a test event: whether the webhook URL is one that the service cannot use. */
	lacksHttps?: boolean;
	/** The event, if another execution may have its row. */
	key?: string;
}

/** The inputs of an execution: the item, and beside it the note. */
export function workflowData(item: object, note: Note): INodeExecutionData[][] {
	return [[{ json: item as IDataObject }], [{ json: note as IDataObject }]];
}

/** What a workflow may see of a delivery. Any other header may hold a token, under a name that nobody knows here. */
export const HARMLESS_HEADERS = [
	'accept',
	'accept-encoding',
	'accept-language',
	'content-encoding',
	'content-length',
	'content-type',
	'date',
	'host',
	'user-agent',
	'traceparent',
	'x-correlation-id',
	'x-request-id',
	'forwarded',
	'via',
	'x-forwarded-for',
	'x-forwarded-host',
	'x-forwarded-proto',
	'x-real-ip',
];

/** The harmless headers, without the one that the credential uses for its token or signature. */
export function harmlessHeaders<T>(headers: Record<string, T>, used?: string): Record<string, T> {
	const isHarmless = ([name]: [string, T]) => HARMLESS_HEADERS.includes(name) && name !== used;
	return Object.fromEntries(Object.entries(headers).filter(isHarmless));
}
