import { itemsOf } from './nodeItems.js';
import { oneLine } from './text.js';

/**
 * @typedef {{ name: string, type: string, disabled?: boolean, parameters: Record<string, any>, credentials?: Record<string, { id: string | null, name: string }> }} FlowNode
 * @typedef {{ id: string, name: string, active: boolean, nodes: FlowNode[], versionId?: string, activeVersionId?: string | null, activeVersion?: { nodes: FlowNode[], createdAt: string } | null, error?: any }} Flow As n8n's API gives it.
 * @typedef {{ flow: Flow, node: FlowNode }} Found
 * @typedef {{ left: string, where: string, whatToDo: string }} Matter
 * @typedef {{
 *   request: { request?: { url?: string }, error?: any, result?: string },
 *   accounts: Array<Record<string, any>>,
 *   wallets: Array<Record<string, any>>,
 *   workflows: Flow[],
 *   executions: Array<{ workflowId?: string, mode?: string, startedAt?: string, error?: any }>,
 *   own: string,
 * }} Facts `own` is the ID of this workflow.
 */

/** What the node that pays has in pay once, before somebody sets it. */
const AMOUNTS_OF_EXAMPLE = ['500000', '1000'];

const SANDBOX = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i;

/** @param {{ error?: any }} item */
const reasonIn = ({ error }) => oneLine(error?.message ?? error).replace(/[^.?!]$/, '$&.');

const isOurs = (/** @type {FlowNode} */ { type }) => /\.walletService(Tool|Trigger)?$/.test(type);
const isTrigger = (/** @type {FlowNode} */ { type }) => type.endsWith('.walletServiceTrigger');
const isPayout = (/** @type {FlowNode} */ node) =>
	isOurs(node) && node.parameters.operation === 'createPayout';

const nameOf = (/** @type {Flow} */ { name }) => oneLine(name).replace('Wallet Service: ', '');
const placeOf = (/** @type {Found} */ { flow, node }) => `${nameOf(flow)}: ${oneLine(node.name)}`;

const isExpression = (/** @type {unknown} */ value) => String(value ?? '').startsWith('=');

/** The entries of a list, as the node reads them. @param {unknown} text */
const entriesOf = (text) =>
	[...String(text ?? '').matchAll(/\s*(?:"([^"]*)"\s*(?=[,\n]|$)|([^,\n]+))/g)]
		.map(([, quoted, plain]) => (quoted ?? plain).trim())
		.filter((entry) => entry);

/** All texts of a parameter that are no hints. @param {unknown} value @returns {string[]} */
const textsIn = (value) =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([key, inner]) => (key === 'placeholder' ? [] : textsIn(inner)))
		: [String(value)];

/**
 * What is left to do before the first live payout.
 * @param {Facts} facts
 */
export function leftToDo({ request, accounts, wallets, workflows, executions, own }) {
	/** @type {Matter[]} */
	const matters = [];
	/** @param {string} left @param {string} whatToDo @param {string[]} [where] */
	const tell = (left, whatToDo, where = []) => matters.push({ left, where: where.join('; '), whatToDo });
	/** @param {Found[]} found @param {string} left @param {string} whatToDo */
	const tellOf = (found, left, whatToDo) => {
		if (found.length > 0) tell(left, whatToDo, found.map(placeOf));
	};

	const url = request.request?.url;
	if (!url)
		tell(
			`The credential cannot be used: ${request.error ? reasonIn(request) : 'it has no address.'}`,
			'Choose your credential in the first three nodes of this workflow. Open it and click Save: n8n says if it works.',
		);
	else if (SANDBOX.test(url))
		tell(
			`The credential is for a sandbox on this machine: ${url.split('/', 3).join('/')}.`,
			'Create a credential with the Base URL, the key and the secrets of the live account. Choose it in each node of the service, also here.',
		);

	const unreadable = workflows.find(({ error }) => error);
	const published = unreadable
		? []
		: workflows
				.filter(({ id, active }) => id && id !== own && active)
				.map((flow) => ({ ...flow, nodes: flow.activeVersion?.nodes ?? flow.nodes }))
				.map((flow) => ({ ...flow, nodes: flow.nodes.filter(({ disabled }) => !disabled) }))
				.filter(({ name, nodes }) => name.startsWith('Wallet Service: ') || nodes.some(isOurs));
	/** @param {(node: FlowNode) => unknown} fits @returns {Found[]} */
	const find = (fits) => published.flatMap((flow) => flow.nodes.filter(fits).map((node) => ({ flow, node })));
	const payouts = find(isPayout);

	/** @type {Array<[resource: string, kind: string, list: Facts['accounts']]>} */
	const lists = [
		['fiatWallet', 'account', accounts],
		['cryptoWallet', 'wallet', wallets],
	];
	for (const [resource, kind, list] of lists) {
		const ofKind = payouts.filter(({ node }) => node.parameters.resource === resource);
		// Who pays no coins needs no wallet.
		if (payouts.length > 0 && ofKind.length === 0) continue;
		const failed = list.find(({ error }) => error);
		const records = list.filter((place) => Object.keys(place).length > 0);
		const missing = ['alias', 'status'].filter(
			(field) => records.length > 0 && records.every((place) => !(field in place)),
		);
		const approved = records
			.filter(({ status }) => String(status).trim().toUpperCase() === 'WHITELISTED')
			.map(({ alias }) => String(alias));
		if (failed)
			tell(
				`The settlement ${kind}s cannot be read: ${reasonIn(failed)}`,
				'Correct the credential. The page Troubleshoot explains the messages.',
			);
		else if (missing.length > 0)
			tell(
				`The list of settlement ${kind}s has no field ${missing.join(' and no field ')}.`,
				'Look how your account calls these fields. Write that in the code of Report (payouts from a file 1) and of Left to do.',
			);
		else if (approved.length === 0)
			tell(
				`No settlement ${kind} is approved.`,
				`Submit one in the dashboard of the service, and wait until its status is Whitelisted.${kind === 'wallet' ? ' You pay no coins? Then delete Pay coins in pay once.' : ''}`,
			);
		else
			for (const found of ofKind.filter(
				({ node }) => !isExpression(node.parameters.options?.allowedAliases),
			)) {
				const unknown = entriesOf(found.node.parameters.options?.allowedAliases).filter(
					(alias) => !approved.includes(alias),
				);
				if (unknown.length > 0)
					tellOf(
						[found],
						`Allowed Aliases has what is not approved: ${oneLine(unknown.join(', '))}.`,
						`Enter the settlement ${kind}s to which you pay. The service must have approved them.`,
					);
			}
	}

	if (unreadable) {
		tell(
			`n8n does not show its workflows: ${reasonIn(unreadable)}`,
			'In n8n, open Settings, n8n API, and create a key that may list and read workflows and executions. Enter it in a credential n8n API, and choose that in Workflows and Events. Base URL is the address of your n8n with /api/v1.',
		);
		return matters;
	}

	const receivers = find(isTrigger);
	const named = (/** @type {string} */ name) => published.find((flow) => nameOf(flow) === name);
	const absent = [
		payouts.length === 0 && 'pay once',
		receivers.length === 0 && 'deposit arrives',
		...['book an event', 'morning proof', 'watch'].map((name) => !named(name) && name),
	].filter((name) => name !== false);
	if (absent.length > 0) tell('Not published.', 'Import and publish these workflows.', absent);

	const changed = published.filter(
		({ versionId, activeVersionId }) => activeVersionId && versionId !== activeVersionId,
	);
	if (changed.length > 0)
		tell('There are changes that are not published.', 'Publish these workflows again.', changed.map(nameOf));

	const credentialOf = (/** @type {FlowNode} */ node) => node.credentials?.walletServiceApi?.id;
	const account = workflows
		.find(({ id }) => id === own)
		?.nodes.map(credentialOf)
		.find((id) => id);
	tellOf(
		find((node) => isOurs(node) && credentialOf(node) !== account && node.parameters.verification !== 'none'),
		'Another credential than here, or none, is chosen.',
		'Choose the credential of the live account in these nodes.',
	);

	/** @param {string} name @param {(value: string) => unknown} fits @returns {Found[]} */
	const withOption = (name, fits) =>
		payouts.filter(({ node }) => fits(String(node.parameters.options?.[name] ?? '').trim()));
	const isEmpty = (/** @type {string} */ value) => value === '';
	tellOf(
		payouts.filter(({ node }) => isEmpty(String(node.parameters.paymentKey ?? '').trim())),
		'No Payment Key.',
		'Each run pays again. Enter a text of the payment only, such as the number of the invoice, or unpublish the workflow.',
	);
	tellOf(
		withOption('maximumAmount', isEmpty),
		'No Maximum Amount.',
		'Add this option: the largest amount of one payout.',
	);
	tellOf(
		withOption('maximumAmount', (value) => AMOUNTS_OF_EXAMPLE.includes(value)),
		'The Maximum Amount of the example is still there.',
		'Enter the largest amount that one of your payouts has. If it is the same, write it with .00 at its end.',
	);
	tellOf(
		withOption('maximumPerDay', isEmpty),
		'No Maximum Payments per Day.',
		'Add this option: the most payouts that you make in a day.',
	);
	tellOf(
		withOption('allowedAliases', isEmpty),
		'No Allowed Aliases.',
		'Add this option: the settlement accounts or wallets to which you pay.',
	);

	tellOf(
		find(({ parameters }) => textsIn(parameters).some((text) => /[@.]example\.com/.test(text))),
		'An address of the example, at example.com, is still there.',
		'Enter your own sender, receivers, approvers and chats.',
	);
	tellOf(
		find(
			({ type, credentials }) =>
				type.endsWith('.emailSend') &&
				(credentials?.smtp?.name ?? 'Mailbox (sandbox)') === 'Mailbox (sandbox)',
		),
		'The mails go to the mailbox of the sandbox, or none is chosen.',
		'Create an SMTP credential of your mail server, and choose it in these nodes.',
	);

	tellOf(
		receivers.filter(({ node }) => node.parameters.verification === 'none'),
		'This trigger takes deliveries from anyone.',
		'Under Verification, choose Use Credential. The credential needs the Webhook Secret.',
	);
	const book = named('book an event');
	if (
		receivers.length > 0 &&
		book &&
		!receivers.some(({ flow }) => flow.nodes.some((node) => node.parameters.workflowId?.value === book.id))
	)
		tell(
			'The events are not handed to *book an event*.',
			'In deposit arrives, choose this workflow in Book the event, and enable that node.',
		);
	const failed = executions.find(({ error }) => error);
	const silent = receivers.filter(
		({ flow }) =>
			!executions.some(
				({ workflowId, mode, startedAt = '' }) =>
					workflowId === flow.id && mode === 'webhook' && startedAt > (flow.activeVersion?.createdAt ?? ''),
			),
	);
	if (failed && receivers.length > 0)
		tell(
			`n8n does not show its executions: ${reasonIn(failed)}`,
			'Let the key of the credential n8n API list and read executions, too.',
		);
	else if (silent.length > 0)
		tell(
			'No event has arrived since the workflow was published.',
			'Enter the production URL of its trigger in the dashboard of the service, under API and webhooks. Then let a small deposit arrive.',
			silent.map(({ flow }) => nameOf(flow)),
		);
	return matters;
}

/** @param {N8n} n8n */
export function run({ $, $workflow }) {
	const matters = leftToDo({
		request: $('Where it would pay').first().json,
		accounts: itemsOf($, 'Accounts'),
		wallets: itemsOf($, 'Wallets'),
		workflows: itemsOf($, 'Workflows'),
		executions: itemsOf($, 'Events'),
		own: $workflow.id,
	});
	const nothing = {
		left: 'Nothing is left to do.',
		where: '',
		whatToDo: 'Make the first live payout a small one, and look in the dashboard if it arrives.',
	};
	return (matters.length > 0 ? matters : [nothing]).map((json) => ({ json }));
}
