import type {
	IDataObject,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { verifyDelivery } from '../../api/signature.ts';
import type { VerificationSettings } from '../../api/signature.ts';
import { claim, release } from './deliveries.ts';
import { eventOptions, outputsOf } from './triggerProperties.ts';
import { isWanted, readDelivery, toItem } from './webhook.ts';

export class WalletServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Service Trigger',
		name: 'walletServiceTrigger',
		icon: { light: 'file:../../icons/walletService.svg', dark: 'file:../../icons/walletService.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when the service reports a deposit, a payout update or a review',
		eventTriggerDescription: 'Waiting for the service to call the webhook URL',
		activationMessage:
			'Register the production webhook URL in the dashboard of the service, under API and webhooks.',
		defaults: { name: 'Wallet Service Trigger' },
		inputs: [],
		outputs: outputsOf,
		credentials: [
			{
				name: 'walletServiceApi',
				required: true,
				displayOptions: { show: { verification: ['credential'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Empty, or n8n answers with the name of its default instead of our words.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: [
			{
				displayName:
					'Register the webhook URL above in the dashboard of the service, under API and webhooks. It must be https and reachable from the internet.',
				name: 'registerNotice',
				type: 'notice',
				default: '',
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
				displayName: 'Verification',
				name: 'verification',
				type: 'options',
				options: [
					{
						name: 'None',
						value: 'none',
						description: 'Anyone who knows the webhook URL can start this workflow',
					},
					{
						name: 'Use Credential',
						value: 'credential',
						description: 'Check each delivery as the webhook settings of the credential say',
					},
				],
				default: 'none',
				description: 'Whether and how to check that a delivery comes from the service',
			},
			{
				displayName:
					'Deliveries are not verified: anyone who knows the webhook URL can start this workflow. Do not let it move money by what a delivery says; look the event up at the service first.',
				name: 'verificationNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { verification: ['none'] } },
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
				description: 'Whether all events leave through one output or each selected event through its own',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Currencies',
						name: 'currencies',
						type: 'string',
						default: '',
						placeholder: 'e.g. NGN, USDT',
						description:
							'Comma-separated codes of currencies and coins to start the workflow for. Events without a currency are not held back.',
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
						description:
							'Whether to include the headers of the delivery, without those that hold a secret or a signature',
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
							'Smallest amount to start the workflow for, as decimal text. Events without an amount are not held back.',
					},
					{
						displayName: 'Statuses',
						name: 'statuses',
						type: 'string',
						default: '',
						placeholder: 'e.g. successful, whitelisted',
						description:
							'Comma-separated statuses to start the workflow for, in any case. Events without a status are not held back.',
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

	webhookMethods = {
		default: {
			// The URL is registered by hand in the dashboard of the service ("Authentication", rule 2): there is no call
			// that could look, register or remove it.
			checkExists: async () => true,
			create: async () => true,
			delete: async () => true,
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const now = new Date();
		const { rawBody, headers } = this.getRequestObject();
		const body = rawBody ?? Buffer.alloc(0);

		const settings = await verificationSettings(this);
		if (settings === undefined) {
			return refuse(this, 401, 'Verification is on, but Webhook Verification of the credential is None');
		}
		const verdict = verifyDelivery(settings, { headers, body }, now.getTime());
		if (!verdict.ok) return refuse(this, 401, verdict.reason);

		const received = readDelivery(body);
		if (!received.ok) return refuse(this, 400, received.reason);
		const { event } = received;

		const options = this.getNodeParameter('options', {}) as IDataObject;
		const events = this.getNodeParameter('events', []) as string[];
		const wanted = isWanted(event, {
			events,
			unknownEvents: options.unknownEvents === true,
			statuses: textList(options.statuses),
			currencies: textList(options.currencies),
			minimumAmount: String(options.minimumAmount ?? '').trim(),
		});
		if (!wanted) return { webhookResponse: { ok: true, ignored: true } };

		// Whoever listens for a test event wants to see it, however often it is sent.
		if (options.ignoreDuplicates !== false && this.getMode() !== 'manual') {
			const scope = `${this.getWorkflow().id}/${this.getNode().id}`;
			if (!claim(scope, event.deliveryKey)) return { webhookResponse: { ok: true, duplicate: true } };
			const response = this.getResponseObject();
			// n8n may still fail to start the workflow and answer so; then the service's retry is no duplicate.
			response.on('finish', () => {
				if (response.statusCode >= 300) release(scope, event.deliveryKey);
			});
		}

		const json = toItem(event, now, {
			includeRaw: options.includeRaw !== false,
			headers: options.includeHeaders === true ? safeHeaders(headers, settings) : undefined,
		}) as IDataObject;
		const outputs = this.getNodeParameter('output', 'single') === 'perEvent' ? [...events, ''] : [''];
		// Unknown kinds leave through the last output, which has no event of its own.
		const index = outputs.includes(event.event) ? outputs.indexOf(event.event) : outputs.length - 1;
		const workflowData = outputs.map((_, output) => (output === index ? [{ json }] : []));
		return { webhookResponse: { ok: true }, workflowData };
	}
}

/** Undefined where the user asks for verification and the credential names no way: nothing may pass then. */
async function verificationSettings(context: IWebhookFunctions): Promise<VerificationSettings | undefined> {
	if (context.getNodeParameter('verification', 'none') === 'none') return { webhookVerification: 'none' };
	const settings = await context.getCredentials<VerificationSettings>('walletServiceApi');
	return settings.webhookVerification === 'none' ? undefined : settings;
}

/** n8n's own answer is always 200, so a refusal is written by hand. */
function refuse(context: IWebhookFunctions, status: number, reason: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ ok: false, reason });
	return { noWebhookResponse: true };
}

function textList(value: unknown): string[] {
	const entries = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function safeHeaders(
	headers: Record<string, string | string[] | undefined>,
	{ webhookHeader }: VerificationSettings,
): Record<string, unknown> {
	const secret = ['authorization', 'cookie', 'proxy-authorization', webhookHeader?.toLowerCase()];
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.includes(name)));
}
