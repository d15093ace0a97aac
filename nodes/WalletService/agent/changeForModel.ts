/** What a model reads of a call that changes something: `result`, what happened, what to do, and the payment. */
import type { IDataObject } from 'n8n-workflow';

import { movesMoney } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import type { CallResult, Result } from '../../shared/result.ts';
import { FOR_MODEL } from './messages.ts';
import { isHarmless, shortened } from './shortText.ts';

/** Fields of an answer that a model reads. They have no lists and no objects. */
const MAX_FIELDS = 20;

/** The item about a call that changes something: `result`, what happened, what to do, and the payment. */
export function toolItem(endpoint: Endpoint, result: CallResult): IDataObject {
	const json: IDataObject = (result.ok ? result.items[0] : result.row) ?? {};
	const word = result.ok ? (json.result as Result) : result.failure.outcome;
	const [happened, whatToDo] = FOR_MODEL[adviceOf(endpoint, result, word)];
	const message = result.ok ? happened : `${happened} ${result.failure.message}.`.trim();
	const shown = Object.entries(json)
		.filter(([name, value]) => isHarmless(name) && !(value instanceof Object))
		.slice(0, MAX_FIELDS);
	return shortened({ result: word, message, whatToDo, ...Object.fromEntries(shown) });
}

function adviceOf(endpoint: Endpoint, result: CallResult, word: Result): keyof typeof FOR_MODEL {
	if (result.ok) return result.belowMinimum ? 'belowMinimum' : word;
	const { about, outcome } = result.failure;
	if (about !== undefined) return about;
	return !movesMoney(endpoint) && outcome !== 'notSent' ? `${outcome}Change` : outcome;
}
