/** What a node does, as far as its parameters say it. What they leave open counts as the worst. */
import { CATALOG, isChange, moneyFieldsOf, movesMoney } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import { isPlainDecimal } from '../../../api/exact/decimal.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';

export const CREDENTIAL = 'walletServiceApi';
const ACTION_KINDS = ['walletService', 'walletServiceTool'];
const DESK_KINDS = ['walletServiceDesk', 'walletServiceDeskTool'];
const TRIGGER_KIND = 'walletServiceTrigger';
const HTTP_KINDS = ['httpRequest', 'httpRequestTool', 'toolHttpRequest'];

/** They call the service, and are none of its endpoints. */
const CONVERT_AT_RATE = 'instantLiquidity.convertAtRate';
const PAY_LIST = 'payoutList.pay';
const OWN_PAYMENTS = [CONVERT_AT_RATE, PAY_LIST];

const ENDPOINTS = new Map<string, Operation>(CATALOG.map((operation) => [operation.id, operation]));

export function isExpression(value: unknown): boolean {
	return typeof value === 'string' && value.startsWith('=');
}

/** Whether it reads something of an item, of another node or of n8n. */
export function readsItem(written: string): boolean {
	return isExpression(written) && written.includes('$');
}

/** Whether it is a node of this package. */
export function isOurs({ kind }: FlowNode): boolean {
	return ACTION_KINDS.includes(kind) || DESK_KINDS.includes(kind) || kind === TRIGGER_KIND;
}

/** Whether a model uses it through its agent or an MCP server. */
export function isTool({ kind }: FlowNode): boolean {
	return kind.endsWith('Tool');
}

/** Whether it has tools that any program can use, without a password. */
export function isOpenMcpServer({ kind, parameters }: FlowNode): boolean {
	return kind === 'mcpTrigger' && (parameters.authentication ?? 'none') === 'none';
}

export function startsWhenCalled({ kind }: FlowNode): boolean {
	return kind === 'executeWorkflowTrigger';
}

/** Whether the start of a called workflow hands on this field: all of them, or those that it declares. */
export function takesField({ parameters }: FlowNode, name: string): boolean {
	if (parameters.inputSource === 'passthrough') return true;
	const { workflowInputs, jsonExample } = parameters;
	return textsIn({ workflowInputs, jsonExample }).some((text) => text.includes(name));
}

export function receivesEvents({ kind }: FlowNode): boolean {
	return kind === TRIGGER_KIND;
}

/** The operations that n8n takes where a resource has none. It does not store defaults. */
const FIRST_OF_DESK: Readonly<Record<string, string>> = {
	list: 'read',
	book: 'makeRows',
	workflows: 'check',
};
const FIRST_OF_ACTION: Readonly<Record<string, string>> = {
	...Object.fromEntries([...CATALOG].reverse().map(({ resource, operation }) => [resource, operation])),
	payoutList: 'pay',
};

/** `resource.operation`. Undefined if an expression, or anything else that is no text, decides it. */
function operationIdOf(
	{ parameters }: FlowNode,
	first: Readonly<Record<string, string>>,
): string | undefined {
	const { resource = first === FIRST_OF_DESK ? 'list' : CATALOG[0]?.resource } = parameters;
	if (typeof resource !== 'string' || isExpression(resource)) return undefined;
	const { operation = Object.hasOwn(first, resource) ? first[resource] : '' } = parameters;
	return typeof operation !== 'string' || isExpression(operation) ? undefined : `${resource}.${operation}`;
}

/** Of an action node. */
const actionOf = (node: FlowNode) => operationIdOf(node, FIRST_OF_ACTION);

/** Whether it is this operation of the desk, or one that only a run can tell. */
function isOfDesk(node: FlowNode, id: string): boolean {
	return DESK_KINDS.includes(node.kind) && operationIdOf(node, FIRST_OF_DESK) === id;
}

/** Whether the node asks the service, so that it needs a credential. */
export function callsService(node: FlowNode): boolean {
	if (receivesEvents(node)) return node.parameters.verification !== 'none';
	if (DESK_KINDS.includes(node.kind)) return asksService(node);
	if (!ACTION_KINDS.includes(node.kind)) return false;
	const id = actionOf(node);
	return id === undefined || OWN_PAYMENTS.includes(id) || ENDPOINTS.has(id);
}

/** The operations of the desk that read destinations or balances; with these settings they do not. */
function asksService(node: FlowNode): boolean {
	const id = operationIdOf(node, FIRST_OF_DESK);
	if (id === 'list.read') return optionOf(node, 'checkDestinations') !== false;
	if (id === 'book.findAlerts') return Object.keys(Object(node.parameters.minimums) as object).length > 0;
	return id === undefined || id === 'list.report' || id === 'book.reconcile';
}

/** Whether it is a payment, also one that is only checked: a payout or a conversion, or an operation that nobody knows. */
function isPayment(node: FlowNode): boolean {
	if (!ACTION_KINDS.includes(node.kind)) return false;
	const id = actionOf(node);
	if (id === undefined || OWN_PAYMENTS.includes(id)) return true;
	const endpoint = ENDPOINTS.get(id);
	return endpoint !== undefined && movesMoney(endpoint);
}

/** Whether it pays the rows of a list: their keys and limits stand elsewhere than those of single payments. */
export function paysList(node: FlowNode): boolean {
	return isPayment(node) && actionOf(node) === PAY_LIST;
}

/** Whether it reads rows of a list, and refuses what only a person says of them. */
export function readsList(node: FlowNode): boolean {
	return isOfDesk(node, 'list.read');
}

/** Whether items may end here because of what they are: a check of ours, or a fork. */
export function checksItems(node: FlowNode): boolean {
	return readsList(node) || isDryRun(node) || ['if', 'switch', 'filter'].includes(node.kind);
}

/** All texts of a parameter that are no hints. */
export function textsIn(parameters: FlowNode['parameters']): string[] {
	const texts: string[] = [];
	const open: unknown[] = [parameters];
	for (let value = open.pop(); value !== undefined; value = open.pop()) {
		if (typeof value === 'string') texts.push(value);
		else if (Array.isArray(value)) for (const entry of value as unknown[]) open.push(entry ?? '');
		else if (isRecord(value))
			for (const [name, entry] of Object.entries(value)) if (name !== 'placeholder') open.push(entry ?? '');
	}
	return texts;
}

/** Whether it enters who approved. */
export function setsApproval({ kind, parameters }: FlowNode): boolean {
	return kind === 'set' && textsIn(parameters).some((text) => text.includes('approvedBy'));
}

/** What the item itself says of its approval. */
const OWN_APPROVAL = /\$(?:json|input\.[\w().]+\.json)\s*\??(?:\.\s*|\.?\[\s*['"])approvedBy/;

/** Whether it enters who approved in place of what the item itself says. */
export function replacesApproval(node: FlowNode): boolean {
	return setsApproval(node) && !textsIn(node.parameters).some((text) => OWN_APPROVAL.test(text));
}

/** Whether it only shows what would be paid, in all runs. */
export function isDryRun(node: FlowNode): boolean {
	return isPayment(node) && String(optionOf(node, 'dryRun')) === 'true';
}

/** Whether it is a payment that is sent. */
export function isLivePayment(node: FlowNode): boolean {
	return isPayment(node) && !isDryRun(node);
}

/** Whether it pays only what somebody has approved, as each item says. */
export function waitsForApproval(node: FlowNode): boolean {
	// As a tool, and by default, the list is only checked without a name.
	if (paysList(node))
		return optionOf(node, 'needsApproval') === undefined || optionOf(node, 'needsApproval') === true;
	const dryRun = textOf(optionOf(node, 'dryRun'));
	return readsItem(dryRun) && /approv/i.test(dryRun);
}

/** Whether the payment goes to somebody else: a conversion stays in the account. */
export function paysDestination(node: FlowNode): boolean {
	const id = actionOf(node);
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

type Sum = readonly [code: string, amount: string];

/** Above which *Report* asks for a second person, as far as they stand in the node. */
export function sumsOfReport(node: FlowNode): Sum[] {
	return isOfDesk(node, 'list.report') ? sumsIn(optionOf(node, 'secondApprovalAbove'), 'sum', 'amount') : [];
}

/** What one person alone can let go out in a day, of a list that is paid. */
export function sumsOfDay(node: FlowNode): Sum[] {
	const isPaid = paysList(node) && isLivePayment(node);
	return isPaid ? sumsIn(node.parameters.limits, 'limit', 'secondApprovalAbovePerDay') : [];
}

function sumsIn(collection: unknown, name: string, field: string): Sum[] {
	const entries = isRecord(collection) && Array.isArray(collection[name]) ? collection[name] : [];
	return (entries as unknown[]).flatMap((entry): Sum[] => {
		const [code, amount] = isRecord(entry) ? [textOf(entry.code), textOf(entry[field])] : ['', ''];
		return code === '' || !isPlainDecimal(amount) ? [] : [[code.toUpperCase(), amount]];
	});
}

/** Whether it changes something at the service without a node of this package. Only a route that is known to read does not. */
export function isBareRequest({ kind, parameters, credentials }: FlowNode): boolean {
	if (!HTTP_KINDS.includes(kind)) return false;
	const { method = 'GET', url } = parameters;
	if (method === 'GET') return false;
	const [address = ''] = textOf(url).split(/[?#]/);
	// Another credential may sign it, too.
	if (!credentials.some(({ type }) => type === CREDENTIAL))
		return CATALOG.some((each) => movesMoney(each) && new RegExp(`${each.path}(?!\\w)`).test(address));
	const isReading = (operation: Operation) =>
		!isChange(operation) && operation.method === method && address.endsWith(operation.path);
	return isExpression(url) || !CATALOG.some(isReading);
}

/** Whether money leaves through this node itself. */
export function sendsMoney(node: FlowNode): boolean {
	return isLivePayment(node) || isBareRequest(node);
}

/** Whether it has a key of n8n's own API. */
export function hasKeyOfN8n({ credentials }: FlowNode): boolean {
	return credentials.some(({ type }) => type === 'n8nApi');
}

/** Whether it is a tool that sends requests to one of these hosts, or wherever an expression says. */
export function isToolTo({ kind, parameters }: FlowNode, hosts: readonly string[]): boolean {
	const [origin = ''] = /^=?(?:\w+:\/\/)?[^/]*/.exec(textOf(parameters.url)) ?? [];
	const goesAnywhere = HTTP_KINDS.includes(kind) && origin.includes('{{');
	const goesThere = textsIn(parameters).some((text) => hosts.some((host) => text.includes(`//${host}`)));
	return /tool/i.test(kind) && (goesAnywhere || goesThere);
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
export function asksPerson(node: FlowNode): boolean {
	const { kind, parameters } = node;
	if (kind === 'wait') return ['form', 'webhook'].includes(textOf(parameters.resume));
	if (kind === 'form') return parameters.operation !== 'completion';
	return sendsSignedLink(node);
}

/** Whether it is n8n's own approval of a tool. */
export function isReview({ kind }: FlowNode): boolean {
	return kind.endsWith('HitlTool');
}

/** Whether it is one of n8n's Send and Wait, whose links are signed with the address of n8n. */
export function sendsSignedLink(node: FlowNode): boolean {
	return node.parameters.operation === 'sendAndWait' || isReview(node);
}

/** Whether whoever may read n8n's executions can answer: they have the link. Version 1 of *Wait* ignores the password of its form. */
export function lacksPassword(node: FlowNode): boolean {
	if (sendsSignedLink(node)) return true;
	if (node.kind !== 'wait' || !asksPerson(node)) return false;
	const { resume, incomingAuthentication = 'none' } = node.parameters;
	return incomingAuthentication === 'none' || (resume === 'form' && node.version < 1.1);
}

/** Whether opening a link is the answer: programs that look through mails and chats open links, too. */
export function isAnsweredByLink(node: FlowNode): boolean {
	const { parameters } = node;
	if (sendsSignedLink(node)) return !['customForm', 'freeText'].includes(textOf(parameters.responseType));
	if (node.kind !== 'wait' || parameters.resume !== 'webhook') return false;
	const { httpMethod = 'GET', incomingAuthentication = 'none' } = parameters;
	return incomingAuthentication === 'none' && (httpMethod === 'GET' || isExpression(httpMethod));
}

/** Whether the workflow is stored and goes on later. n8n keeps a shorter wait in memory. */
export function suspends(node: FlowNode): boolean {
	return asksPerson(node) || node.kind === 'wait';
}

/** Nodes that write rows, with the operation that n8n takes where none is stored. */
const TABLES: Readonly<Record<string, string>> = {
	dataTable: 'insert',
	postgres: 'insert',
	mySql: 'insert',
	microsoftSql: 'insert',
	supabase: 'create',
	googleSheets: 'read',
	microsoftExcel: 'getAll',
	airtable: 'read',
	notion: 'create',
	baserow: 'getAll',
	nocoDb: 'get',
	seaTable: 'create',
	grist: 'getAll',
	mongoDb: 'find',
	snowflake: 'insert',
};
const WRITING = /^(?:insert|update|upsert|append|create|add|delete|remove|execute)/i;

/** Whether it writes rows: those of the book, or of a table. */
export function writes(node: FlowNode): boolean {
	if (isOfDesk(node, 'book.makeRows')) return true;
	const first = Object.hasOwn(TABLES, node.kind) ? TABLES[node.kind] : undefined;
	const isRow = node.kind !== 'dataTable' || (node.parameters.resource ?? 'row') === 'row';
	return first !== undefined && isRow && WRITING.test(textOf(node.parameters.operation ?? first));
}

/** The fields of an item that these options of the live payments read. */
export function fieldsReadBy(flow: Flow | undefined, options: readonly string[]): string[] {
	const payments = (flow?.nodes ?? []).filter(isLivePayment);
	const expressions = payments.flatMap((node) =>
		options.map((name) => textOf(optionOf(node, name))).filter(isExpression),
	);
	const ofLists = payments.some(paysList) ? FIELDS_OF_LIST.filter(([name]) => options.includes(name)) : [];
	return [
		...expressions.flatMap((text) => [...text.matchAll(/\$json\.(\w+)/g)].map(([, field]) => field!)),
		...ofLists.map(([, field]) => field),
	];
}

/** What Pay List reads from each row, in place of these options. */
const FIELDS_OF_LIST = [
	['approvedBy', 'approvedBy'],
	['ifOutcomeIsUnknown', 'decision'],
	['allowDuplicate', 'again'],
] as const;
