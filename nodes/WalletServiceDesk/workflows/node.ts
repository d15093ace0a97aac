/** What a node does, as far as its parameters say it. What they leave open counts as the worst. */
import { CATALOG, isChange, moneyFieldsOf, movesMoney } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { textOf } from '../values/itemValues.ts';
import type { FlowNode } from './workflow.ts';

export const CREDENTIAL = 'walletServiceApi';
const ACTION_KINDS = ['walletService', 'walletServiceTool'];
const DESK_KINDS = ['walletServiceDesk', 'walletServiceDeskTool'];
const TRIGGER_KIND = 'walletServiceTrigger';
const HTTP_KINDS = ['httpRequest', 'httpRequestTool', 'toolHttpRequest'];

/** They call the service, and are none of its endpoints. */
const CONVERT_AT_RATE = 'instantLiquidity.convertAtRate';
const PAY_LIST = 'payoutList.pay';
const OWN_PAYMENTS = [CONVERT_AT_RATE, PAY_LIST];

/** The resource of lists at the action node, and its only operation. */
const [LISTS, PAY] = PAY_LIST.split('.');

const ENDPOINTS = new Map<string, Operation>(CATALOG.map((operation) => [operation.id, operation]));

export function isExpression(value: unknown): boolean {
	return typeof value === 'string' && value.startsWith('=');
}

/** Whether it is a node of this package. */
export function isOurs({ kind }: FlowNode): boolean {
	return ACTION_KINDS.includes(kind) || DESK_KINDS.includes(kind) || kind === TRIGGER_KIND;
}

export function receivesEvents({ kind }: FlowNode): boolean {
	return kind === TRIGGER_KIND;
}

/**
 * `resource.operation` of an action node. n8n does not store what has its default. Undefined if an expression, or anything else
 * that is no text, decides it.
 */
function operationIdOf({ parameters }: FlowNode): string | undefined {
	const resource = parameters.resource ?? CATALOG[0]?.resource;
	const first = CATALOG.find((each) => each.resource === resource)?.operation;
	const operation = parameters.operation ?? (resource === LISTS ? PAY : first) ?? '';
	if (typeof resource !== 'string' || typeof operation !== 'string') return undefined;
	return isExpression(resource) || isExpression(operation) ? undefined : `${resource}.${operation}`;
}

/** Whether the node asks the service, so that it needs a credential. */
export function callsService(node: FlowNode): boolean {
	if (receivesEvents(node)) return node.parameters.verification !== 'none';
	if (!ACTION_KINDS.includes(node.kind)) return false;
	const id = operationIdOf(node);
	return id === undefined || OWN_PAYMENTS.includes(id) || ENDPOINTS.has(id);
}

/** Whether it is a payment, also one that is only checked: a payout or a conversion, or an operation that nobody knows. */
function isPayment(node: FlowNode): boolean {
	if (!ACTION_KINDS.includes(node.kind)) return false;
	const id = operationIdOf(node);
	if (id === undefined || OWN_PAYMENTS.includes(id)) return true;
	const endpoint = ENDPOINTS.get(id);
	return endpoint !== undefined && movesMoney(endpoint);
}

/** Whether it pays the rows of a list: their keys and limits stand elsewhere than those of single payments. */
export function paysList(node: FlowNode): boolean {
	return isPayment(node) && operationIdOf(node) === PAY_LIST;
}

/** Whether it reads rows of a list, and refuses what only a person says of them. */
export function readsList({ kind, parameters }: FlowNode): boolean {
	// The defaults of the desk node, which n8n does not store.
	const { resource = 'list', operation = 'read' } = parameters;
	return DESK_KINDS.includes(kind) && resource === 'list' && operation === 'read';
}

/** Whether it only shows what would be paid, in all runs. */
export function isDryRun(node: FlowNode): boolean {
	return isPayment(node) && String(optionOf(node, 'dryRun')) === 'true';
}

/** Whether it is a payment that is sent. */
export function isLivePayment(node: FlowNode): boolean {
	return isPayment(node) && !isDryRun(node);
}

/** Whether the payment goes to somebody else: a conversion stays in the account. */
export function paysDestination(node: FlowNode): boolean {
	const id = operationIdOf(node);
	if (id === CONVERT_AT_RATE) return false;
	const endpoint = id === undefined ? undefined : ENDPOINTS.get(id);
	if (endpoint === undefined) return true;
	const { currency, destination } = moneyFieldsOf(endpoint);
	return currency !== destination;
}

/** An option of the node, as it was written. Undefined if it was not added, or if all options are one expression. */
export function optionOf({ parameters }: FlowNode, name: string): unknown {
	const { options } = parameters;
	return isRecord(options) && Object.hasOwn(options, name) ? options[name] : undefined;
}

/** A limit as it was written: the option of a single payment, or that of each entry of a list. */
export function limitsOf(node: FlowNode, name: string): unknown[] {
	if (!paysList(node)) return [optionOf(node, name)];
	const { limits } = node.parameters;
	const entries = isRecord(limits) && Array.isArray(limits.limit) ? (limits.limit as unknown[]) : [];
	return entries.length === 0
		? [undefined]
		: entries.map((entry) => (isRecord(entry) ? entry[name] : undefined));
}

/** Whether it changes something at the service without a node of this package. Only a route that is known to read does not. */
export function isBareRequest({ kind, parameters, credentials }: FlowNode): boolean {
	if (!HTTP_KINDS.includes(kind) || !credentials.some(({ type }) => type === CREDENTIAL)) return false;
	const { method = 'GET', url } = parameters;
	if (method === 'GET') return false;
	const [address = ''] = textOf(url).split(/[?#]/);
	const isReading = (operation: Operation) =>
		!isChange(operation) && operation.method === method && address.endsWith(operation.path);
	return isExpression(url) || !CATALOG.some(isReading);
}

/** Whether money leaves through this node itself. */
export function sendsMoney(node: FlowNode): boolean {
	return isLivePayment(node) || isBareRequest(node);
}

/** Whether nothing tells its payments apart. The rows of a list have keys of their own. */
export function lacksPaymentKey(node: FlowNode): boolean {
	return !paysList(node) && paymentKeyOf(node) === '';
}

/** The Payment Key, as it was written. '' if there is none. */
export function paymentKeyOf({ parameters }: FlowNode): string {
	const text = textOf(parameters.paymentKey);
	return text === '=' ? '' : text;
}

/** Whether a person is asked, and the workflow waits for the answer. */
export function asksPerson({ kind, parameters }: FlowNode): boolean {
	if (kind === 'wait') return ['form', 'webhook'].includes(textOf(parameters.resume));
	if (kind === 'form') return parameters.operation !== 'completion';
	return parameters.operation === 'sendAndWait' || kind.endsWith('HitlTool');
}

/** Whether it is one of n8n's Send and Wait, whose links are signed with the address of n8n. */
export function sendsSignedLink({ kind, parameters }: FlowNode): boolean {
	return parameters.operation === 'sendAndWait' || kind.endsWith('HitlTool');
}

/** Whether opening a link is the answer: programs that look through mails and chats open links, too. */
export function isAnsweredByLink(node: FlowNode): boolean {
	const { parameters } = node;
	if (sendsSignedLink(node)) return !['customForm', 'freeText'].includes(textOf(parameters.responseType));
	if (node.kind !== 'wait' || parameters.resume !== 'webhook') return false;
	const { httpMethod = 'GET', incomingAuthentication = 'none' } = parameters;
	return incomingAuthentication === 'none' && (httpMethod === 'GET' || isExpression(httpMethod));
}
