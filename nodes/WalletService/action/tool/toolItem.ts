/** What a model reads about a payment, in every version of n8n's agents: one short item, never a thrown message. */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../../api/endpoints.ts';
import { shortened } from './forModel.ts';
import { FOR_MODEL } from '../messages.ts';
import type { CallResult, Failure, Result } from '../result.ts';

/** Fields of a paid item that a model may need. The rest of an answer can hold data of customers. */
const SHOWN = [
	...['paymentKey', 'amount', 'fromAmount', 'toAmount', 'rate', 'currency', 'coin'],
	...['accountAlias', 'walletAlias', 'contractId', 'payoutId', 'transactionId', 'status'],
	...['alias', 'address', 'network'],
];

/** The item for a model: `result`, what happened, what to do, and the payment. */
export function toolItem(endpoint: Endpoint, result: CallResult): IDataObject {
	const json: IDataObject = (result.ok ? result.items[0] : result.row) ?? {};
	const word = (result.ok ? json.result : result.failure.outcome) as Result;
	const [happened, whatToDo] = FOR_MODEL[result.ok ? word : kindOf(endpoint, result.failure, word)];
	const words = result.ok ? [happened] : [happened, `${result.failure.message}.`];
	return shortened({
		result: word,
		message: words.join(' ').trim(),
		whatToDo,
		...Object.fromEntries(SHOWN.filter((name) => name in json).map((name) => [name, json[name]])),
	});
}

function kindOf(
	{ movesMoney }: Endpoint,
	{ isLimit, isInput }: Failure,
	word: Result,
): keyof typeof FOR_MODEL {
	if (isLimit === true) return 'limit';
	if (isInput === true) return 'input';
	if (movesMoney === undefined && (word === 'unknown' || word === 'rejected')) return `${word}Change`;
	return word;
}
