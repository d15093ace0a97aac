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
			'If the service sent it, listen for a test event: the trigger then says which settings verify it.',
			'If a stranger sent it, there is nothing to do',
		),
	/** In n8n's log. */
	bodyIsRefused: ({ trigger, status, reason }: Texts<'trigger' | 'status' | 'reason'>) =>
		sentences(
			`${trigger} answered a delivery with ${status}: ${reason}.`,
			'If the service sent it, its event started nothing: ask the service to send one event as a JSON object.',
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

/** What a search for settings has found, after a delivery was refused while the user listens for a test event. HTML, a line each. */
export const FOUND = {
	fits: 'Other settings verify this delivery. Set in the credential:',
	set: ({ label, value }: Texts<'label' | 'value'>) => `${label}: <code>${value}</code>`,
	clear: (label: string) => `${label}: nothing. Clear the field`,
	moveKey: 'Webhook Public Key: the text that is in Webhook Secret now, which is a public key',
	anotherMustPass: 'Then click Execute step and let the service send another event. It must pass, too.',
	secretProves: sentences(
		'This proves only that the sender knows the Webhook Secret.',
		'If others can know it, because it is a public key or an ID, anyone can sign.',
	),
	keyProves: sentences(
		'This proves only that the sender has the private key of this public key.',
		'Take the public key from the service itself.',
	),
	timeIsNotSigned: 'The service signs no time, so a recorded delivery can be sent again at any time.',
	isToken: 'A token is the same in each delivery. If the service can sign deliveries, use that.',
	isOld: (seconds: string) =>
		sentences(
			`The time of this delivery is ${seconds} seconds away from the time here, so these settings refuse it, too.`,
			'It may be a recorded one, or a clock is wrong.',
		),
	addressIsSigned: sentences(
		'The service signs the address of the trigger, too.',
		'Before you publish, write the one of the Production URL into Webhook Payload.',
	),
	rewritten: sentences(
		'The Webhook Secret or key is right: the signature fits the body as it was before something wrote its JSON anew.',
		'This is most often a proxy between the service and n8n. Let it pass the body unchanged.',
	),
	beside: 'Also set in the credential:',
	sha1: sentences(
		'The Webhook Secret is right, but the signature is made with SHA-1, which is not accepted.',
		'Ask the service for SHA-256.',
	),
	noSecretFits: sentences(
		'No usual way to sign fits this delivery. If the service has sent it, the Webhook Secret is most often another one:',
		'of another account, of the test system, or the API key. If the secret is right, ask the service how it signs.',
	),
	noKeyFits: sentences(
		'No usual way to sign fits this delivery. If the service has sent it, the Webhook Public Key is most often another one:',
		'of another account or of the test system. If the key is right, ask the service how it signs.',
	),
	noSignature: sentences(
		'No header of this delivery looks like a signature or holds the Webhook Secret.',
		'If the service has sent it, switch on its signature there, and look for a proxy that drops headers.',
	),
	secretIsShort:
		'The Webhook Secret is so short that anyone could guess it. Ask the service for a longer one.',
	stopped: sentences(
		'The search for settings that verify this delivery has ended at its limit.',
		'Click Execute step and let the service send a small event.',
	),
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
