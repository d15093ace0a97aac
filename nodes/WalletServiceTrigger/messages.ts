/** Every text that the trigger shows or answers, but for the labels of its parameters. A table. */
import type { TriggerPanelDefinition } from 'n8n-workflow';

import { sentences } from '../../api/texts.ts';
import type { Texts } from '../../api/texts.ts';

/** What went wrong. Answers to the service hold no secret. */
export const MESSAGES = {
	// Answers with status 400.
	bodyIsNotUtf8: 'The body is not UTF-8 text',
	bodyIsNotJson: 'The body is not valid JSON',
	bodyIsNotAnObject: 'The body is not a JSON object',
	bodyIsNestedTooDeeply: 'The body is nested too deeply',
	eventIsMissing: "The body has no text in 'event'",
	bodyIsUnreadable: 'The body cannot be read: it is empty, multipart, wrongly compressed or cut off',

	// Answers with status 413.
	bodyIsTooLarge: 'The body has more than 1 MiB or 2,000 values',

	// Answers with status 500, if Respond is When Workflow Finishes.
	workflowFailed: 'The workflow did not succeed',

	// The answer with status 503. Strangers learn nothing of the set-up.
	notReady: 'This receiver cannot accept events at the moment',
	/** In n8n's log. */
	nothingIsAccepted: ({ trigger, reason }: Texts<'trigger' | 'reason'>) =>
		`${trigger} answers every delivery with 503 until this is corrected: ${reason}`,
	/** In n8n's log. */
	firstIsUnanswered: ({ trigger }: Texts<'trigger'>) =>
		sentences(
			`${trigger} answered a repetition with 503, because the first delivery of this event has no answer yet.`,
			'If its execution hangs, stop it under Executions. The next repetition then starts the workflow',
		),
	/** In n8n's log. */
	eventIsMisspelt: ({ trigger, event, known }: Texts<'trigger' | 'event' | 'known'>) =>
		`${trigger} ignored the event ${event}, which is not spelt like '${known}'. Add the option Unknown Events to receive it`,
	/** In n8n's log. */
	eventIsNotFiltered: ({ trigger, event, fields }: Texts<'trigger' | 'event' | 'fields'>) =>
		sentences(
			`The filters of ${trigger} could not check the event '${event}', because these fields cannot be read: ${fields}.`,
			'It started the workflow, and notFiltered in the item names them',
		),
	/** In n8n's log. The reason says what to do. */
	timeIsRefused: ({ trigger, reason }: Texts<'trigger' | 'reason'>) =>
		`${trigger} answered a delivery with 401: ${reason}`,
	/** In n8n's log. */
	signatureIsRefused: ({ trigger, reason }: Texts<'trigger' | 'reason'>) =>
		sentences(
			`${trigger} answered a delivery with 401: ${reason}.`,
			'If the service sent it, correct Webhook Secret and the other webhook settings of the credential.',
			'If a stranger sent it, there is nothing to do',
		),

	// Why: in n8n's log, in the editor, and when a workflow cannot be published.
	eventsAreEmpty: 'Events is empty',
	eventsAreInvalid: (known: string) => `Events is not a list of these values: ${known}`,
	optionIsInvalid: ({ label, expected }: Texts<'label' | 'expected'>) => `${label} is not ${expected}`,
	flagIsInvalid: (label: string) => `${label} is neither true nor false`,
	parameterIsUnreadable: (label: string) => `The expression of ${label} cannot be evaluated`,
	credentialIsUnreadable: 'Verification is on, but the credential is missing or cannot be read',
	settingsAreUnreadable: 'The settings cannot be read',

	/** The error of the trigger while the user listens for a test event. */
	deliveryRefused: (reason: string) => `The trigger refused this delivery: ${reason}`,

	// Hints beside the output.
	duplicateStopped: (deliveryKey: string) =>
		`Another execution already handles this delivery, so this one stops here: ${deliveryKey}`,
	notFiltered: (fields: string) =>
		sentences(
			`The filters could not check this event, because these fields cannot be read: ${fields}.`,
			'Look into raw, and let no workflow credit or move money for it.',
		),
	/** "Delivery rules", 2. Also in n8n's log when the workflow is published. */
	notHttps: sentences(
		'The service delivers only to https addresses that can be reached from the internet.',
		'The address of this n8n does not begin with https.',
		'Put n8n behind https and set WEBHOOK_URL to that address.',
	),
};

/** What to know and to do while setting the trigger up. */
export const NOTICES = {
	register: 'Register the Production URL in the dashboard of the service, under API and webhooks.',
	unverified: 'Anyone who knows the URL can send events. Never let such an event move money.',
	waiting: sentences(
		'A workflow that begins to wait, as for the answer of a person, is answered with 200 at that moment.',
		'If it fails after that, the service does not deliver the event again.',
	),
	// After the reason, because n8n shows only the message when a workflow is published.
	correctTrigger: 'correct it in the trigger',
	correctCredential:
		'correct it in the credential of the trigger, or choose None under Verification, which accepts events from anyone',
	notPublished: 'The trigger would refuse every delivery until this is fixed.',
	afterRefusal: 'Correct the cause, click Execute step and let the service send the event again.',
};

const IN_DASHBOARD = 'in the dashboard of the service, under <b>API and webhooks</b>';
const HOW_TO_TEST = sentences(
	`<b>While you build</b>, register the test URL ${IN_DASHBOARD},`,
	'click <b>Execute step</b> and let the service send an event. It appears here.',
	'To build the next nodes before that, import the example <b>deposit arrives</b>.',
);

/** The panel beside the trigger in the editor until there is an item. HTML. */
export const PANEL: TriggerPanelDefinition = {
	header: 'Receive events of the Wallet Service',
	executionsHelp: {
		inactive: sentences(
			`${HOW_TO_TEST}<br /><br /><b>Once it works</b>, publish the workflow`,
			'and register the production URL in the same place.',
			'The service has only one URL: while it is the test URL, the published workflow receives nothing.',
		),
		active: sentences(
			`${HOW_TO_TEST}<br /><br /><b>The workflow is published</b>:`,
			'register the production URL in the same place if you have not done so.',
			'Its executions appear in the <a data-key="executions">executions list</a>, not here.',
		),
	},
	activationHint: {
		inactive:
			'Publish the workflow when it works. From then on the service can deliver to the production URL.',
		active: 'The workflow runs for every event that the service delivers to the production URL.',
	},
};
