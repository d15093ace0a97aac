/** The two calls that the action bench makes, as each side writes them. */
import type { Json } from '../../host/n8nClient.ts';

export const OURS = 'Wallet Service';
export const HTTP = 'HTTP Request';
export const CODE = 'Code that signs + HTTP Request';
export const LOOP = 'Loop Over Items + HTTP Request';
export type Side = typeof OURS | typeof HTTP | typeof CODE | typeof LOOP;

export interface Call {
	name: string;
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
	sides: Side[];
	/** The smallest acceptable ratio to HTTP Request. */
	target: number;
}

/** The input of every call. */
export const ITEM = { currency: 'NGN', amount: '0.01', account_alias: 'supplier-main' };

const locator = (mode: string, field: string) => ({ __rl: true, mode, value: `={{ $json.${field} }}` });

export const CALLS: Call[] = [
	{
		name: 'Reads (POST /v1/fiat_balance)',
		path: '/v1/fiat_balance',
		ours: { resource: 'fiatWallet', operation: 'getBalance', currency: locator('code', 'currency') },
		body: '={"currency":"{{ $json.currency }}"}',
		sent: '{"currency":"NGN"}',
		code: '{ currency: json.currency }',
		options: {},
		sides: [OURS, HTTP, CODE],
		target: 1,
	},
	{
		name: 'Money calls (POST /v1/fiat_payout)',
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
		sides: [OURS, HTTP, CODE, LOOP],
		target: 0.95,
	},
];
