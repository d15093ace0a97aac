import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { testCredential } from '../shared/http/credentialTest.ts';
import { receiveDelivery } from './delivery.ts';
import { passOn } from './execution.ts';
import { MESSAGES, PANEL } from './messages.ts';
import { outputs } from './outputs.ts';
import { PROPERTIES, subtitle } from './parameters.ts';
import { lacksHttps } from './request.ts';
import { acknowledgement, beginListening } from './respond.ts';
import { requireUsableSettings } from './verification.ts';

export class WalletServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Service Trigger',
		name: 'walletServiceTrigger',
		icon: { light: 'file:../../icons/walletService.svg', dark: 'file:../../icons/walletService.dark.svg' },
		group: ['trigger'],
		// Of a trigger of version 1, n8n evaluates an expression with each delivery, which takes an engine.
		version: 2,
		subtitle,
		// n8n lists both nodes as one entry and shows this description for both.
		description:
			'Pay out, convert and look up money in fiat and crypto wallets, and start workflows on deposits, payout updates and reviews',
		eventTriggerDescription: 'Waiting for the service to call the webhook URL',
		activationMessage:
			'Register the production webhook URL in the dashboard of the service, under API and webhooks.',
		triggerPanel: PANEL,
		builderHint: {
			searchHint:
				'Starts a workflow on deposits, payout updates and reviews of a wallet service. The service has one webhook URL, so use one trigger with all events; output "perEvent" gives each kind its own output. Keep verification "credential". Fiat payouts send no events.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-wallet-service.walletService',
					relationHint: 'Pays out, converts and looks up money',
				},
			],
		},
		defaults: { name: 'Wallet Service Trigger' },
		inputs: [],
		outputs,
		credentials: [
			{
				name: 'walletServiceApi',
				required: true,
				testedBy: 'testCredential',
				displayOptions: { show: { verification: ['credential'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				...acknowledgement,
				// Empty, or n8n answers with the name of its default instead of the node's answer.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: PROPERTIES,
	};

	methods = { credentialTest: { testCredential } };

	webhookMethods = {
		default: {
			// The user registers the URL in the dashboard of the service ("Authentication", rule 2): the API has no call for it.
			// "Does not exist" makes n8n run `create` whenever the workflow is published.
			checkExists: async () => false,
			async create(this: IHookFunctions): Promise<boolean> {
				beginListening(this);
				await requireUsableSettings(this);
				if (lacksHttps(this.getNodeWebhookUrl('default'))) this.logger.warn(MESSAGES.notHttps);
				return true;
			},
			delete: async () => true,
		},
	};

	/** Receives one delivery. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveDelivery(this);
	}

	/** n8n skips this step in the old execution order if the first output is empty. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await passOn(this);
	}
}
