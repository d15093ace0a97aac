import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { testCredential } from './shared/credentialTest.ts';
import { identityOf } from './trigger/deduplication/identity.ts';
import { claimDelivery } from './trigger/deduplication/index.ts';
import { acknowledgement, eventOptions, outputs, subtitle } from './trigger/description.ts';
import {
	hintAtMissingHttps,
	lacksHttps,
	routeItems,
	stopsAsDuplicate,
	throwIfRefused,
} from './trigger/execution.ts';
import { isWanted, similarKind } from './trigger/filter.ts';
import { harmlessHeaders, toItem } from './trigger/item.ts';
import { warn } from './trigger/log.ts';
import { MESSAGES, NOTICES, PANEL } from './trigger/messages.ts';
import { isTooLarge, parseDelivery } from './trigger/parse.ts';
import { readRequest } from './trigger/request.ts';
import { acknowledgeOnly, answerWhenFinished, beginListening, refuse } from './trigger/respond.ts';
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
		properties: [
			{
				displayName: NOTICES.register,
				name: 'registerNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { verification: ['credential'] } },
			},
			{
				displayName: 'Verification',
				name: 'verification',
				type: 'options',
				options: [
					{
						name: 'None',
						value: 'none',
						description: 'Anyone who knows the URL can send a fake event',
					},
					{
						name: 'Use Credential',
						value: 'credential',
						description: 'Check each delivery with the webhook settings of the credential',
					},
				],
				default: 'credential',
				description: 'Whether and how to check that a delivery comes from the service',
			},
			{
				displayName: NOTICES.unverified,
				name: 'verificationNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { verification: ['none'] } },
			},
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				options: eventOptions,
				default: [],
				description: 'The events to start the workflow for',
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				options: [
					{ name: 'One for All Events', value: 'single' },
					{ name: 'One per Event', value: 'perEvent' },
				],
				default: 'single',
				description: 'Whether all events leave through one output or each kind of event through its own',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Acknowledge',
						name: 'acknowledge',
						type: 'options',
						options: [
							{
								name: 'When Finished',
								value: 'whenFinished',
								description: 'After the workflow has succeeded. If it fails, the service delivers again.',
							},
							{
								name: 'When Stored',
								value: 'whenStored',
								description: 'At once, before the workflow runs',
							},
						],
						default: 'whenStored',
						description: 'When to tell the service that it need not deliver the event again',
					},
					{
						displayName: 'Currencies',
						name: 'currencies',
						type: 'string',
						default: '',
						placeholder: 'e.g. NGN, USDT',
						description:
							'Comma-separated codes of currencies and coins to start the workflow for. Kinds of events that have no currency always pass.',
					},
					{
						displayName: 'Ignore Duplicates',
						name: 'ignoreDuplicates',
						type: 'boolean',
						default: true,
						description:
							'Whether to start the workflow once when the service delivers the same event several times',
					},
					{
						displayName: 'Include Headers',
						name: 'includeHeaders',
						type: 'boolean',
						default: false,
						description: 'Whether to include the headers of the delivery that are known to hold no secret',
					},
					{
						displayName: 'Include Raw',
						name: 'includeRaw',
						type: 'boolean',
						default: true,
						description: 'Whether to include the delivery as it was received, under raw',
					},
					{
						displayName: 'Minimum Amount',
						name: 'minimumAmount',
						type: 'string',
						default: '',
						placeholder: 'e.g. 10.50',
						description:
							'Smallest amount to start the workflow for, as decimal text. Kinds of events that have no amount always pass.',
					},
					{
						displayName: 'Statuses',
						name: 'statuses',
						type: 'string',
						default: '',
						placeholder: 'e.g. successful, whitelisted',
						description:
							'Comma-separated statuses to start the workflow for, in upper or lower case. Kinds of events that have no status always pass.',
					},
					{
						displayName: 'Unknown Events',
						name: 'unknownEvents',
						type: 'boolean',
						default: false,
						description: 'Whether to start the workflow for kinds of events that this version does not know',
					},
				],
			},
		],
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

		if (!delivery.isReadable) return refuse(this, 400, MESSAGES.bodyIsUnreadable);
		const parsed = parseDelivery(delivery.body);
		if (!parsed.ok) return refuse(this, parsed.status, parsed.reason);
		const { event } = parsed;

		if (!isWanted(event, settings.filters)) {
			const kind = similarKind(event);
			const { name } = this.getNode();
			if (kind !== undefined) warn(this, MESSAGES.eventIsMisspelt(name, event.event, kind));
			return acknowledgeOnly('ignored');
		}

		const { ignoreDuplicates, whenFinished, includeRaw, includeHeaders } = settings;
		const headers = includeHeaders ? harmlessHeaders(delivery.headers, verdict?.header) : undefined;
		const json = toItem(event, receivedAt, { includeRaw, headers }) as IDataObject;
		const note = ignoreDuplicates
			? await claimDelivery(this, identityOf(event, verdict?.id), whenFinished)
			: [];
		if (note === undefined) return acknowledgeOnly('duplicate');

		if (whenFinished) answerWhenFinished(this.getResponseObject());
		// While the user listens for a test event, the execution hints at an address that the service cannot use.
		const isPlain = this.getMode() === 'manual' && lacksHttps(this.getNodeWebhookUrl('default'));
		const hints = isPlain ? [{ json: {} }] : [];
		return { workflowData: [[{ json }], note, hints], webhookResponse: { ok: true } };
	}

	/**
	 * Passes the item on in the execution that `webhook` has started, where n8n can keep rows. It chooses the output, because
	 * n8n skips this step in workflows with the old order of execution if the first output is empty.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		throwIfRefused(this, items);
		if (await stopsAsDuplicate(this, items)) return [[]];
		hintAtMissingHttps(this);
		return routeItems(this, items);
	}
}
