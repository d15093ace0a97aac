import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testCredential } from '../shared/http/credentialTest.ts';
import { runOperation } from './runOperation.ts';
import { credentialShown, PROPERTIES, subtitle } from './properties.ts';

export class WalletServiceDesk implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Service Desk',
		name: 'walletServiceDesk',
		icon: { light: 'file:../../icons/walletService.svg', dark: 'file:../../icons/walletService.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Read and report lists of payouts, keep a book of payments and reconcile it. It pays nothing.',
		defaults: { name: 'Wallet Service Desk' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Reads payouts from a CSV file, a sheet or rows and names what is wrong, reports a list for approval or its results, makes rows of a book, reconciles balances with it, and finds alerts. It pays nothing: rows of Read go to Pay List of the Wallet Service node. Hand over all rows at once, never in a loop. As a tool of an AI agent only Read and Report work.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-wallet-service.walletService',
					relationHint: 'Pays the rows that Read gives, with Pay List; pays out, converts and looks up money',
				},
				{
					nodeType: 'n8n-nodes-wallet-service.walletServiceTrigger',
					relationHint: 'Starts a workflow on deposits and payout updates, whose events Make Rows takes',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'walletServiceApi',
				required: true,
				testedBy: 'testCredential',
				displayOptions: credentialShown,
			},
		],
		properties: PROPERTIES,
	};

	methods = { credentialTest: { testCredential } };

	/** All items at once. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperation(this);
	}
}
