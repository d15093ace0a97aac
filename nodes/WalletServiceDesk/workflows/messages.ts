/** What Workflow: Check says: what was found, then what to do. */
import { sentences } from '../../../api/texts.ts';
import type { Matter } from './matters.ts';

export const WHAT_TO_DO: Record<Matter, string> = {
	unreadableWorkflow: sentences(
		'This workflow cannot be read, so nobody knows if it pays.',
		'Open it in n8n and look at it yourself, or archive it.',
	),
	noCredential: sentences(
		'A credential is not chosen. An import does not bring one.',
		'Open these nodes and choose it.',
	),
	sandboxCredential: sentences(
		'A credential with "sandbox" in its name is chosen.',
		'Create credentials for the live account and for your mail server, and choose them.',
	),
	severalAccounts: sentences(
		'The nodes of this workflow use different accounts.',
		'A Payment Key belongs to one account: under another one, the same payment is made again.',
		'Choose the same credential in each node. If two accounts are meant, make one workflow for each.',
	),
	bareRequest: sentences(
		'This request goes to the service without the node Wallet Service:',
		'it has no Payment Key, no limit and no dry run, and each run sends it again.',
		'Use the node Wallet Service in its place.',
	),
	noPaymentKey: sentences(
		'These payments have no Payment Key: each run pays again.',
		'Enter a text that belongs to one payment only, such as the number of the invoice.',
	),
	paymentKeyOfRun: sentences(
		'This Payment Key is new in each run, so that each run pays again.',
		'Use a text that stays with the payment, such as the number of the invoice.',
	),
	outcomeForAll: sentences(
		'If Outcome Is Unknown has one answer for all payments: what is unknown is decided, and nobody looks it up.',
		'Remove the option, or let an expression take the answer of a person for each payment.',
	),
	decisionForAll: sentences(
		'This call says for all rows that somebody has approved or settled them, or that they may repeat other payments, also before anybody is asked.',
		'Empty these inputs, and let each item carry what a person has said.',
	),
	approvalForAll: sentences(
		'Approved By has one name for all payments, so each of them counts as approved, and nobody is asked.',
		'Let an expression take the name of the person from each item, or remove the option.',
	),
	uncheckedApproval: sentences(
		'Dry Run waits here until somebody approves, but any text in that field pays, such as "no".',
		'Add the option Approved By, and let it read the same field: it refuses an item without the name of somebody.',
	),
	unreadRows: sentences(
		'Rows of a sheet, a table, a form or a webhook come here as they were written: whoever writes one can say who has approved it.',
		'Put Payout List: Read before this node, and set approvedBy behind it, from the answer of a person.',
	),
	decisionByModel: sentences(
		'A model fills in who has approved a payment, what became of it, or that it may repeat another one.',
		'So it approves its own payments.',
		'Enter a fixed text for who approved them, and leave the others empty.',
	),
	openToCallers: sentences(
		'Any workflow and any agent of n8n may call this workflow, and say who approved its payments.',
		'In its settings, under This workflow can be called by, choose Selected workflows, and enter the IDs of those that call it.',
	),
	availableToModels: sentences(
		'Models may run this workflow through the MCP access of n8n, change it, and answer its questions in place of a person.',
		'Open its settings and turn off Available in MCP.',
	),
	unguardedLoop: sentences(
		'The workflow comes back to this payment and asks nobody in between: what is unknown may be paid twice.',
		'Send what is unknown to a person, and let only the answer lead back.',
		'For a list, use Loop Over Items.',
	),
	retriedPayment: sentences(
		'Retry On Fail sends payments without a lasting Payment Key again: they can be paid twice.',
		'Turn it off in the settings of these nodes.',
	),
	noMaximumAmount: sentences(
		'These payments have no Maximum Amount.',
		'Add this option and enter the largest amount of one payment. In Pay List, each entry of Limits has it.',
	),
	noMaximumPerDay: sentences(
		'These payments have no Maximum Payments per Day.',
		'Add this option and enter the most payments that you make in a day.',
	),
	noAllowedAliases: sentences(
		'These payouts have no Allowed Aliases.',
		'Add this option and enter the settlement accounts or wallets to which you pay. In Pay List, each entry of Limits has it.',
	),
	onlyDryRun: sentences(
		'Dry Run is on, and no payment comes behind it: nothing is paid here.',
		'When all that you checked is right, remove the option.',
	),
	answeredByLink: sentences(
		'This question before a payment is answered when its link is opened.',
		'Programs that scan mails and chats open links, and so they can say yes.',
		'In Send and Wait choose Response Type: Custom Form. In Wait choose Resume: On Form Submitted.',
		'For a tool of an agent, let the tool call a workflow that asks with such a form.',
	),
	addressWithPath: sentences(
		'The address of n8n has a path. If a proxy takes the path away, n8n refuses the links of this question (401).',
		'Give n8n an address without a path (WEBHOOK_URL), or ask with a Wait node and Resume: On Form Submitted.',
	),
	exampleAddress: sentences(
		'An address of an example, such as name@example.com, is still there.',
		'Enter your own senders, receivers, approvers and chats.',
	),
	noVerification: sentences(
		'This trigger takes deliveries from anyone.',
		'Under Verification choose Use Credential. The credential needs the Webhook Secret.',
	),
	missingWorkflow: sentences(
		'The workflow that this node calls is not chosen, is archived, or is not among the workflows that were read.',
		'Choose it. If it is there, turn on Return All in the node that reads the workflows.',
	),
	notPublished: sentences(
		'This workflow is not published: it does not start by itself, and others cannot call it.',
		'Publish it, or archive it if you do not need it.',
	),
	unpublishedChanges: sentences(
		'n8n still runs the version before the last change, which was checked here.',
		'Look at the change and publish the workflow again.',
	),
	noErrorWorkflow: sentences(
		'If this workflow fails, nobody hears of it.',
		'In its settings choose an Error Workflow that sends a mail, and publish that one.',
		'After a crash or a time-out n8n does not start it.',
	),
	noExecutions: sentences(
		'n8n does not keep all executions of this workflow: they show who was asked and what was sent, and Retry needs them.',
		'In its settings, choose to save failed, successful and manual executions.',
	),
};

/** The workflows as a whole. */
export const WORKFLOWS = {
	areNotShown: (reason: string) =>
		sentences(
			`n8n does not show its workflows: ${reason}`,
			'In n8n, open Settings, n8n API, and create a key that may list and read workflows.',
			'Enter it in a credential n8n API. Its Base URL is the address of your n8n with /api/v1.',
		),
	haveNoNodeOfOurs: () =>
		sentences(
			'No workflow with a node of the service was read, not even this one, so nothing could be checked.',
			'Put the node n8n before this one: Resource Workflow, Operation Get Many, Return All. Save this workflow, and run it again.',
		),
};

/** The one item if no matter is left. */
export const NOTHING_LEFT = {
	matter: 'Nothing is left',
	where: '',
	whatToDo: 'Nothing is left here. Make the first live payout small, and look it up at the service.',
};
