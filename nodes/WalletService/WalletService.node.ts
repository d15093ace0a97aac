import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { customOperations, properties, subtitle } from './editor/properties.ts';
import { REQUEST_DEFAULTS } from '../shared/http/client.ts';
import { listSearch } from './editor/dropdowns.ts';
import { execute } from './changesEntry.ts';
import { callService, passRawResponse } from './readsEntry.ts';
import { testCredential } from '../shared/http/credentialTest.ts';

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
		builderHint: {
			searchHint:
				'Payouts, conversions, balances and accounts of a fiat and crypto wallet service. Write amounts as text such as "1250.50", never as numbers. Set paymentKey of each payment to a text that is unique and stays the same in a new run, such as the supplier, and the number and year of the invoice. Set the options maximumAmount, allowedAliases and allowedCurrencies; a tool of an AI agent pays nothing without them. Never connect a retry or loop to a payment with result "unknown": send it to a person.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-wallet-service.walletServiceTrigger',
					relationHint: 'Starts a workflow when a deposit arrives or a crypto payout changes',
				},
				{
					nodeType: 'n8n-nodes-wallet-service.walletServiceDesk',
					relationHint:
						'Reads lists of payouts for Pay List, reports what was paid, keeps the book and reconciles it',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'walletServiceApi', required: true, testedBy: 'testCredential' }],
		// The credential adds the address when it signs: n8n would evaluate an expression for it twice with every item.
		requestDefaults: REQUEST_DEFAULTS,
		requestOperations: { pagination: callService },
		properties: properties(passRawResponse),
	};

	methods = { listSearch, credentialTest: { testCredential } };

	/** Changes need all items at once, and a memory that outlives the execution. RoutingNode offers neither. */
	customOperations = customOperations(execute);
}
