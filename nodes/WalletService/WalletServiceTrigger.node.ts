import { NodeOperationError } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { testCredential } from './shared/testCredential.ts';
import { identityOf } from './trigger/deduplication/identity.ts';
import { claimDelivery, isHandledElsewhere } from './trigger/deduplication/index.ts';
import { isWanted, similarKind } from './trigger/filter.ts';
import {
	acknowledgement,
	answerWhenFinished,
	beginListening,
	lacksHttps,
	readRequest,
	refuse,
} from './trigger/http.ts';
import { harmlessHeaders, toItem, workflowData } from './trigger/item.ts';
import type { Note } from './trigger/item.ts';
import { quoted, report } from './trigger/log.ts';
import { MESSAGES, NOTICES, PANEL } from './trigger/messages.ts';
import { outputs, placeOnOutput } from './trigger/outputs.ts';
import { PROPERTIES, subtitle } from './trigger/parameters.ts';
import { isTooLarge, parseDelivery } from './trigger/parse.ts';
import { requireUsableSettings, verifyRequest } from './trigger/verification.ts';

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

	/** Receives one delivery. Each path answers it. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const receivedAt = new Date();
		const delivery = await readRequest(this);
		if (isTooLarge(delivery.body)) return refuse(this, 413, MESSAGES.bodyIsTooLarge);

		const verified = await verifyRequest(this, delivery, receivedAt);
		if (!verified.ok) return refuse(this, verified.status, verified.reason);
		const { settings, verdict } = verified;

		if (delivery.body.length === 0) return refuse(this, 400, MESSAGES.bodyIsUnreadable);
		const event = parseDelivery(delivery.body);
		if (typeof event === 'string') return refuse(this, 400, event);

		if (!isWanted(event, settings)) {
			const kind = similarKind(event.event);
			const texts = { trigger: this.getNode().name, event: quoted(event.event) };
			if (kind !== undefined) report(this, 'warn', kind, MESSAGES.eventIsMisspelt({ ...texts, known: kind }));
			return { webhookResponse: { ok: true, ignored: true } };
		}

		const { ignoreDuplicates, whenFinished, includeRaw, includeHeaders } = settings;
		const headers = includeHeaders ? harmlessHeaders(delivery.headers, verdict?.header) : undefined;
		const item = toItem(event, receivedAt, { includeRaw, headers });
		const note = ignoreDuplicates
			? await claimDelivery(this, identityOf(event, verdict?.id), whenFinished)
			: {};
		if (note === undefined) return { webhookResponse: { ok: true, duplicate: true } };

		if (whenFinished) answerWhenFinished(this.getResponseObject());
		// While the user listens for a test event, not with every delivery.
		if (this.getMode() === 'manual') note.lacksHttps = lacksHttps(this.getNodeWebhookUrl('default'));
		return { workflowData: workflowData(item, note), webhookResponse: { ok: true } };
	}

	/** Passes the item on where n8n can keep rows. n8n skips this step in the old execution order if the first output is empty. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const note: Note = this.getInputData(1)[0]?.json ?? {};
		if (note.refused !== undefined) {
			const description = NOTICES.afterRefusal;
			throw new NodeOperationError(this.getNode(), MESSAGES.deliveryRefused(note.refused), { description });
		}
		const { event, deliveryKey } = items[0]?.json ?? {};
		const location = 'outputPane';
		if (await isHandledElsewhere(this, note)) {
			this.addExecutionHints({ message: MESSAGES.duplicateStopped(String(deliveryKey)), location });
			return [[]];
		}
		if (note.lacksHttps) this.addExecutionHints({ message: MESSAGES.notHttps, type: 'warning', location });
		const isSingle = this.getNodeParameter('output', 0, 'single') === 'single';
		return isSingle ? [items] : placeOnOutput(items, event);
	}
}
