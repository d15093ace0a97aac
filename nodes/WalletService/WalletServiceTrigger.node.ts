import { NodeOperationError, sleep } from 'n8n-workflow';
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

import { SettingError } from '../../api/signature.ts';
import { claim, isRepetition, started, stored } from './trigger/deduplication.ts';
import type { Recall } from './trigger/deduplication.ts';
import { eventOptions, NOT_HTTPS, outputsOf, subtitle, triggerPanel } from './trigger/properties.ts';
import { ignoresDuplicates, readSettings, readVerification, verify } from './trigger/settings.ts';
import { isWanted, readDelivery, toItem } from './trigger/delivery.ts';

/** So many texts, two for each delivery, does a second look go back. */
const RECALLED = 1000;

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

export class WalletServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Service Trigger',
		name: 'walletServiceTrigger',
		icon: { light: 'file:../../icons/walletService.svg', dark: 'file:../../icons/walletService.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle,
		// n8n shows it for both nodes, which it lists as one.
		description:
			'Pay out, convert and look up money in fiat and crypto wallets, and start workflows on deposits, payout updates and reviews',
		eventTriggerDescription: 'Waiting for the service to call the webhook URL',
		activationMessage:
			'Register the production webhook URL in the dashboard of the service, under API and webhooks.',
		triggerPanel,
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
					'Open Webhook URLs, copy the Production URL and register it in the dashboard of the service, under API and webhooks. It must be https and reachable from the internet.',
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
			// The URL is registered by hand in the dashboard of the service ("Authentication", rule 2): no call could look,
			// register or remove it. It never exists, so that `create` is run whenever the workflow is activated.
			checkExists: async () => false,
			async create(this: IHookFunctions): Promise<boolean> {
				try {
					readSettings(this);
					await readVerification(this);
				} catch (error) {
					throw new NodeOperationError(this.getNode(), error as Error, {
						description: 'Until this is put right, every delivery would be refused.',
					});
				}
				// n8n saves this one change; executions add to what is there.
				this.getWorkflowStaticData('node').seen ??= '';
				if (!this.getNodeWebhookUrl('default')?.startsWith('https:')) this.logger.warn(NOT_HTTPS);
				return true;
			},
			delete: async () => true,
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const now = new Date();
		const request = this.getRequestObject();
		// n8n reads it by itself only where the sender calls it text of a kind that n8n knows.
		await request.readRawBody();
		const { rawBody: body = Buffer.alloc(0), headers } = request;

		let settings;
		let verification;
		try {
			settings = readSettings(this);
			verification = await verify(this, { headers, body }, now.getTime());
		} catch (error) {
			return refuse(this, 401, error instanceof SettingError ? error.message : 'The settings cannot be read');
		}
		const { verdict } = verification;
		if (!verdict.ok) return refuse(this, 401, verdict.reason);

		const received = readDelivery(body);
		if (!received.ok) return refuse(this, 400, received.reason);
		const { event } = received;
		if (!isWanted(event, settings.wanted)) return { webhookResponse: { ok: true, ignored: true } };

		const staticData = this.getWorkflowStaticData('node');
		if (settings.ignoreDuplicates) {
			const settle = await claim(scopeOf(this), event.deliveryKey, staticData.seen);
			if (settle === undefined) return { webhookResponse: { ok: true, duplicate: true } };
			// n8n may still fail to start the workflow, and answer so: then the service's retry is no duplicate.
			onAnswer(this.getResponseObject(), (status) => settle(status < 300));
		}

		const json = toItem(event, now, {
			includeRaw: settings.includeRaw,
			headers: settings.includeHeaders
				? safeHeaders(headers, verification.settings.webhookHeader)
				: undefined,
		}) as IDataObject;
		const perEvent = this.getNodeParameter('output', 'single') === 'perEvent';
		const outputs = perEvent ? [...settings.wanted.events, ''] : [''];
		// Unknown kinds leave through the last output, which has no event of its own.
		const index = outputs.includes(event.event) ? outputs.indexOf(event.event) : outputs.length - 1;
		const workflowData = outputs.map((_, output) => (output === index ? [{ json }] : []));
		const remember = () => {
			const seen = settings.ignoreDuplicates && stored(scopeOf(this), event.deliveryKey, staticData.seen);
			if (seen) staticData.seen = seen as IDataObject;
		};
		return {
			workflowData,
			// n8n asks for it when it has stored the execution; what static data has then, it saves before it answers.
			get webhookResponse() {
				remember();
				return { ok: true };
			},
		};
	}

	/**
	 * The first step of the execution that a delivery has started: passes its item on. It is here for the memory of
	 * deliveries, because n8n does not save static data that `webhook` changes when it starts a workflow.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const perEvent = this.getNodeParameter('output', 0, 'single') === 'perEvent';
		const events = perEvent ? (this.getNodeParameter('events', 0, []) as string[]) : [];
		const outputs = [...events, ''].map((_, index) => this.getInputData(index));
		const deliveryKey = outputs.flat()[0]?.json.deliveryKey;
		const options = this.getNodeParameter('options', 0, {}) as IDataObject;
		if (typeof deliveryKey === 'string' && ignoresDuplicates(options, this.getMode())) {
			const staticData = this.getWorkflowStaticData('node');
			const seen = started(scopeOf(this), deliveryKey, staticData.seen);
			if (seen !== undefined) staticData.seen = seen as IDataObject;
			else if (this.getMode() === 'webhook') {
				// On a worker. What it stops is an execution of its own, which n8n lists.
				const recall: Recall = async (texts) =>
					await this.helpers.checkProcessedAndRecord(texts, 'node', {
						mode: 'entries',
						maxEntries: RECALLED,
					});
				if (await isRepetition(scopeOf(this), deliveryKey, this.getExecutionId(), recall)) {
					this.addExecutionHints({
						message: `Came before, so it stops here: ${deliveryKey}`,
						location: 'outputPane',
					});
					return outputs.map(() => []);
				}
			}
		}
		// Said to who builds the workflow, not with every delivery.
		if (this.getMode() === 'manual' && !this.getInstanceBaseUrl().startsWith('https:')) {
			this.addExecutionHints({ message: NOT_HTTPS, type: 'warning', location: 'outputPane' });
		}
		return outputs;
	}
}

/** n8n's own answer is always 200, so a refusal is written by hand. */
function refuse(context: IWebhookFunctions, status: number, reason: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ ok: false, reason });
	return { noWebhookResponse: true };
}

/** Calls back when n8n has answered, also where the sender has hung up before: then nothing but polling tells. */
function onAnswer(response: Response, tell: (status: number) => void): void {
	const poll = async () => {
		while (!response.writableEnded) await sleep(50);
		tell(response.statusCode);
	};
	response.once('finish', () => tell(response.statusCode));
	response.once('close', poll);
	if (response.destroyed) void poll();
}

/** One trigger of one workflow: each has a memory of its own. */
function scopeOf(context: IWebhookFunctions | IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

function safeHeaders(
	headers: Record<string, string | string[] | undefined>,
	signatureHeader?: string,
): Record<string, unknown> {
	const secret = ['authorization', 'cookie', 'proxy-authorization', signatureHeader?.toLowerCase()];
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.includes(name)));
}
