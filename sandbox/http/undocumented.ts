/**
 * Invented requests of the endpoints that the API document only names. The real fields are unknown, so these requests accept
 * additional fields. A table: no logic.
 */
import { z } from 'zod/v4';
import type { ENDPOINTS, EndpointId } from '../../api/endpoints.ts';
import type { UNDOCUMENTED } from '../../api/shape.ts';
import { anyAmount, code, text } from './requests.ts';

/** The header `x-sandbox-note` of each response whose shape the document does not show. */
export const UNDOCUMENTED_NOTE =
	'The API document only names this endpoint: request and response are invented.';

export type UndocumentedId = {
	[Id in EndpointId]: (typeof ENDPOINTS)[Id]['request'] extends typeof UNDOCUMENTED ? Id : never;
}[EndpointId];

const nothing = z.object({});
const network = text.default('TRC20').meta({ examples: ['TRC20'] });
const coin = code.meta({ examples: ['USDT'] });

export const UNDOCUMENTED_REQUESTS = {
	'cryptoWallet.create': z.object({ alias: text.optional().meta({ examples: ['shop'] }), network }),
	'cryptoWallet.createPayout': z.object({
		coin,
		amount: anyAmount.meta({ examples: [100.25] }),
		wallet_alias: text.meta({
			description: 'Alias of the settlement wallet that receives the payout. It must be whitelisted.',
			examples: ['treasury'],
		}),
	}),
	'cryptoWallet.get': z.object({ alias: text.meta({ examples: ['deposits-usdt'] }) }),
	'cryptoWallet.getBalance': z.object({ coin }),
	'cryptoWallet.getAll': nothing,
	'settlementWallet.create': z.object({
		alias: text.meta({ examples: ['partner'] }),
		address: text.meta({ examples: ['TPartner000000000000000000000001'] }),
		network,
		asset_supported: z
			.union([text, z.array(text).transform((codes) => codes.join(','))])
			.default('USDT')
			.meta({ examples: ['USDT,USDC'] }),
	}),
	'settlementWallet.get': z.object({ alias: text.meta({ examples: ['treasury'] }) }),
	'settlementWallet.getAll': nothing,
	'settlementAccount.get': z.object({ alias: text.meta({ examples: ['supplier-main'] }) }),
	'settlementAccount.getAll': nothing,
	'service.getHealth': nothing,
} as const satisfies Record<UndocumentedId, z.ZodType>;
