/** What a model reads of a call that changes something: `result`, what happened, what to do, and the payment. */
import type { IDataObject } from 'n8n-workflow';

import { movesMoney } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { changeForModel } from '../../shared/agent/changeForModel.ts';
import type { ToldChange } from '../../shared/agent/changeForModel.ts';
import { shortened } from '../../shared/agent/itemsThatFit.ts';
import type { CallResult, Failure, Result } from '../../shared/result.ts';
import { isHarmless } from './harmlessFields.ts';

/** Fields of an answer that a model reads. They have no lists and no objects. */
const MAX_FIELDS = 20;

/** The item about a call that changes something: `result`, what happened, what to do, and the payment. */
export function toolItem(endpoint: Endpoint, result: CallResult): IDataObject {
	const json: IDataObject = (result.ok ? result.items[0] : result.row) ?? {};
	const word = result.ok ? (json.result as Result) : result.failure.outcome;
	const { message, httpStatus }: Partial<Failure> = result.ok ? {} : result.failure;
	const told = { result: word, advice: adviceOf(endpoint, result, word), reason: message, httpStatus };
	const shown = Object.entries(json)
		.filter(([name, value]) => isHarmless(name) && !(value instanceof Object))
		.slice(0, MAX_FIELDS);
	return shortened({ ...changeForModel(told), ...Object.fromEntries(shown) });
}

function adviceOf(endpoint: Endpoint, result: CallResult, word: Result): ToldChange['advice'] {
	if (result.ok) return result.belowMinimum ? 'belowMinimum' : word;
	const { about, outcome } = result.failure;
	// Whatever the reason, what may have been paid is no call to correct.
	if (about !== undefined && outcome !== 'unknown') return about;
	return !movesMoney(endpoint) && outcome !== 'notSent' ? `${outcome}Change` : outcome;
}
