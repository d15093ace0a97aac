/** What a model reads of something that was to be changed: of the node as its tool, and of a workflow behind its tool. */
import type { IDataObject } from 'n8n-workflow';

import { asSentence } from '../text.ts';
import { FOR_MODEL, UNCLEAR_ANSWER } from './messages.ts';

/** What became of it. */
export interface ToldChange {
	/** What the field `result` says. */
	result: string;
	advice: keyof typeof FOR_MODEL;
	/** Why it failed, without a full stop. */
	reason?: string;
	/** Of the service's answer. */
	httpStatus?: number;
}

/** `result`, what happened, and what to do. */
export function changeForModel(told: ToldChange): IDataObject {
	const [happened, whatToDo] = FOR_MODEL[told.advice];
	return { result: told.result, message: `${happened} ${whyOf(told)}`.trim(), whatToDo };
}

/** Each word of a refusal is one that refusals have. An answer that proves nothing may say anything. */
function whyOf({ result, reason = '', httpStatus }: ToldChange): string {
	if (result === 'unknown' && httpStatus !== undefined) return UNCLEAR_ANSWER(httpStatus);
	return asSentence(reason);
}
