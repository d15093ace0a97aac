/** Reads lists and balances of the account, for dropdowns, conversions and the desk. Each goes out again after a fault that passes. */
import { getOperation, requestFieldsOf } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import type { EndpointId } from '../../../api/endpoints.ts';
import { inCamelCase, textsUnder } from '../../../api/listedRecord.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { CallResult } from '../result.ts';
import { WITH_EMPTY_BODY, WITHOUT_BODY } from '../serviceRequest.ts';
import type { ServiceRequest } from '../serviceRequest.ts';
import type { TimeLimit } from '../../../api/deadline.ts';
import type { ServiceClient } from './client.ts';
import { sendWithRetry } from './retry.ts';

/** The records of a list. The keys of a record may be written as `Bank Name` or `bank_name`; they are given as `bankName`. */
export async function readList(
	client: ServiceClient,
	endpoint: EndpointId,
	within?: TimeLimit,
): Promise<CallResult> {
	const operation = getOperation(endpoint);
	// The fields of an undocumented request are unknown, so an empty object is sent.
	const request = operation.request === UNDOCUMENTED ? WITH_EMPTY_BODY : WITHOUT_BODY;
	const answer = await read(client, operation, request, within);
	return answer.ok ? { ...answer, items: answer.items.map(inCamelCase) } : answer;
}

async function read(
	client: ServiceClient,
	operation: Operation,
	request: ServiceRequest,
	within?: TimeLimit,
): Promise<CallResult> {
	const send = async () => await client.send(operation, request, { simplify: true, within });
	return await sendWithRetry(send, client.stop, within);
}

/** Where the answer about a coin, which the document does not show, may have its balance. */
const BALANCE_FIELDS = ['balance', 'availableBalance', 'available'];

/** One item with the `balance` of a currency or coin as it was sent. An answer that has none gives an item without it. */
export async function readBalance(
	client: ServiceClient,
	{ code, isFiat }: { code: string; isFiat: boolean },
): Promise<CallResult> {
	const operation = getOperation(isFiat ? 'fiatWallet.getBalance' : 'cryptoWallet.getBalance');
	const fields = new Map(Object.keys(requestFieldsOf(operation)).map((name) => [name, { value: code }]));
	const answer = await read(client, operation, { money: {}, fields });
	if (!answer.ok) return answer;
	const [balance] = textsUnder(BALANCE_FIELDS, inCamelCase(answer.items[0] ?? {}));
	return { ...answer, items: [{ balance }] };
}
