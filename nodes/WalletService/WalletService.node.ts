import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { callService, handOver } from './call.ts';
import { listSearch } from './listSearch.ts';
import { properties, subtitle } from './properties.ts';
import { TRANSPORT } from './response.ts';

export class WalletService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Service',
		name: 'walletService',
		icon: { light: 'file:../../icons/walletService.svg', dark: 'file:../../icons/walletService.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Pay out, convert and look up money in fiat and crypto wallets',
		defaults: { name: 'Wallet Service' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'walletServiceApi', required: true }],
		// The credential adds the address when it signs: n8n would evaluate an expression for it twice with every item.
		requestDefaults: TRANSPORT,
		requestOperations: { pagination: callService },
		properties: properties(handOver),
	};

	methods = { listSearch };
}
