/** What a model reads about a call that changes something, in every version of n8n's agents: one short item, never a thrown message. */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../../api/endpoints.ts';
import { isHarmless, shortened } from './forModel.ts';
import { FOR_MODEL } from '../messages.ts';
import type { CallResult, Failure, Result } from '../result.ts';

/** Fields of an answer that a model reads. They have no lists and no objects. */
const MAX_FIELDS = 20;

/** The item for a model: `result`, what happened, what to do, and the payment. */
export function toolItem(endpoint: Endpoint, result: CallResult): IDataObject {
	const json: IDataObject = (result.ok ? result.items[0] : result.row) ?? {};
	const word = result.ok ? (json.result as Result) : result.failure.outcome;
	const [happened, whatToDo] =
		FOR_MODEL[result.ok ? (json.result as Result) : kindOf(endpoint, result.failure)];
	const message = result.ok ? happened : `${happened} ${result.failure.message}.`.trim();
	const shown = Object.entries(json)
		.filter(([name, value]) => isHarmless(name) && !(value instanceof Object))
		.slice(0, MAX_FIELDS);
	return shortened({ result: word, message, whatToDo, ...Object.fromEntries(shown) });
}

function kindOf({ movesMoney }: Endpoint, { kind, outcome }: Failure): keyof typeof FOR_MODEL {
	if (kind !== undefined) return kind;
	return movesMoney === undefined && outcome !== 'notSent' ? `${outcome}Change` : outcome;
}
