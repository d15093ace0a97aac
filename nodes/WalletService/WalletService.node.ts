import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { callService, handOver } from './call.ts';
import { properties, subtitle } from './properties.ts';

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
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl }}',
			headers: { Accept: '*/*' },
			// The answer as text, whatever its status: numbers are read exactly and the service's own words reach the user.
			encoding: 'text',
			ignoreHttpStatusErrors: true,
			// A signed request that moves money goes to the address of the credential and nowhere else.
			disableFollowRedirect: true,
		},
		requestOperations: { pagination: callService },
		properties: properties(handOver),
	};
}
