/**
 * Invented requests and responses of the endpoints that the API document only names. The real fields are unknown, so these
 * requests accept additional fields. A table: no logic.
 */
import { z } from 'zod/v4';
import type { ENDPOINTS, EndpointId } from '../api/endpoints.ts';
import { listOf } from '../api/shape.ts';
import type { ListShape, RecordShape, UNDOCUMENTED } from '../api/shape.ts';
import { anyAmount, code, text } from './requests.ts';

/** `sandbox_note` of each response whose shape the document does not show. */
export const UNDOCUMENTED_NOTE =
	'The API document only names this endpoint: request and response are invented.';

export type UndocumentedId = {
	[Id in EndpointId]: (typeof ENDPOINTS)[Id]['request'] extends typeof UNDOCUMENTED ? Id : never;
}[EndpointId];

interface UndocumentedShape {
	request: z.ZodType;
	response: RecordShape | ListShape;
}

const nothing = z.object({});
const network = text.default('TRC20').meta({ examples: ['TRC20'] });
const coin = code.meta({ examples: ['USDT'] });

const wallet = {
	alias: 'text',
	address: 'text',
	network: 'text',
} as const;

const settlementWallet = {
	...wallet,
	asset_supported: ['supportedAssets', 'list'],
	status: 'status',
} as const;

const settlementAccount = {
	alias: 'text',
	bank_name: ['bank', 'text'],
	account_number: 'text',
	account_name: 'text',
	currency: 'code',
	other_details: 'text',
	status: 'status',
} as const;

export const UNDOCUMENTED_SHAPES = {
	'cryptoWallet.create': {
		request: z.object({ alias: text.optional().meta({ examples: ['shop'] }), network }),
		response: wallet,
	},
	'cryptoWallet.createPayout': {
		request: z.object({
			coin,
			amount: anyAmount.meta({ examples: [100.25] }),
			wallet_alias: text.meta({
				description: 'Alias of the settlement wallet that receives the payout. It must be whitelisted.',
				examples: ['treasury'],
			}),
		}),
		response: {
			status: 'status',
			payout_id: 'text',
			coin: 'code',
			amount: 'number',
			fee: 'number',
			wallet_alias: 'text',
		},
	},
	'cryptoWallet.get': {
		request: z.object({ alias: text.meta({ examples: ['deposits-usdt'] }) }),
		response: wallet,
	},
	'cryptoWallet.getBalance': {
		request: z.object({ coin }),
		response: { coin: 'code', balance: 'decimal' },
	},
	'cryptoWallet.getAll': { request: nothing, response: listOf('results', wallet) },
	'settlementWallet.create': {
		request: z.object({
			alias: text.meta({ examples: ['partner'] }),
			address: text.meta({ examples: ['TPartner000000000000000000000001'] }),
			network,
			asset_supported: z
				.union([text, z.array(text).transform((codes) => codes.join(','))])
				.default('USDT')
				.meta({ examples: ['USDT,USDC'] }),
		}),
		response: settlementWallet,
	},
	'settlementWallet.get': {
		request: z.object({ alias: text.meta({ examples: ['treasury'] }) }),
		response: settlementWallet,
	},
	'settlementWallet.getAll': { request: nothing, response: listOf('results', settlementWallet) },
	'settlementAccount.get': {
		request: z.object({ alias: text.meta({ examples: ['supplier-main'] }) }),
		response: settlementAccount,
	},
	'settlementAccount.getAll': { request: nothing, response: listOf('results', settlementAccount) },
	'service.getHealth': { request: nothing, response: { status: 'status' } },
} as const satisfies Record<UndocumentedId, UndocumentedShape>;
