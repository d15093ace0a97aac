/** The two calls that the action bench makes, as each contender writes them. */
import type { Json } from '../../host/n8n/client.ts';

export const OURS = 'Wallet Service';
export const HTTP = 'HTTP Request';
export const CODE = 'Code that signs + HTTP Request';
export const LOOP = 'Loop Over Items + HTTP Request';
/** A declarative node with one operation and nothing else. */
export const NULL = 'Null Node';
export type Contender = typeof OURS | typeof HTTP | typeof CODE | typeof LOOP | typeof NULL;

/** A ratio that the bench reports. */
interface Target {
	contender: Contender;
	to: Contender;
	/** The smallest acceptable ratio by the number of items. Without it, the ratio is information. */
	least?: Record<number, number>;
}

export interface Call {
	name: string;
	kind: 'read' | 'money';
	path: string;
	/** Parameters of our node. */
	ours: Json;
	/** The JSON body of HTTP Request, as a user writes it. */
	body: string;
	/** The body that every item gives; its signature is made beforehand. */
	sent: string;
	/** The body as an expression of the Code node. */
	code: string;
	/** Options of HTTP Request. */
	options: Json;
	contenders: Contender[];
	targets: Target[];
}

/** The input of every call. */
export const ITEM = { currency: 'NGN', amount: '0.01', account_alias: 'supplier-main' };

const locator = (mode: string, field: string) => ({ __rl: true, mode, value: `={{ $json.${field} }}` });

const READ: Call = {
	name: 'Reads (POST /v1/fiat_balance)',
	kind: 'read',
	path: '/v1/fiat_balance',
	ours: { resource: 'fiatWallet', operation: 'getBalance', currency: locator('code', 'currency') },
	body: '={"currency":"{{ $json.currency }}"}',
	sent: '{"currency":"NGN"}',
	code: '{ currency: json.currency }',
	options: {},
	contenders: [OURS, NULL, HTTP, CODE],
	targets: [
		{ contender: OURS, to: NULL, least: { 1: 0.95, 100: 0.95, 1000: 0.95 } },
		{ contender: OURS, to: HTTP },
		{ contender: OURS, to: CODE },
	],
};

export const PAYOUT: Call = {
	name: 'Money calls (POST /v1/fiat_payout)',
	kind: 'money',
	path: '/v1/fiat_payout',
	ours: {
		resource: 'fiatWallet',
		operation: 'createPayout',
		currency: locator('code', 'currency'),
		amount: '={{ $json.amount }}',
		account_alias: locator('alias', 'account_alias'),
		options: {},
	},
	body: '={"currency":"{{ $json.currency }}","amount":{{ $json.amount }},"account_alias":"{{ $json.account_alias }}"}',
	sent: '{"currency":"NGN","amount":0.01,"account_alias":"supplier-main"}',
	code: '{ currency: json.currency, amount: Number(json.amount), account_alias: json.account_alias }',
	options: { batching: { batch: { batchSize: 1, batchInterval: 0 } } },
	contenders: [OURS, LOOP, HTTP, CODE],
	targets: [
		{ contender: OURS, to: LOOP, least: { 1: 1, 10: 1.1, 100: 1.2 } },
		{ contender: OURS, to: HTTP },
		{ contender: OURS, to: CODE },
	],
};

export const CALLS = [READ, PAYOUT];
