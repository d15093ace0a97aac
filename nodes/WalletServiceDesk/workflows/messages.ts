/** What Check says: what was found, and what to do. */
import { sentences } from '../../../api/texts.ts';

interface FindingTexts {
	finding: string;
	whatToDo: string;
}

/** By the name of the rule. */
export const FINDINGS = {
	unreadableWorkflow: {
		finding: 'This workflow cannot be read, so nobody knows if it pays.',
		whatToDo: 'Open it in n8n and look at it yourself, or archive it.',
	},
	bareRequest: {
		finding:
			'A request goes to the service without the node Wallet Service: without Payment Key, limit and dry run. Each run sends it again.',
		whatToDo: 'Use the node Wallet Service in its place.',
	},
	noPaymentKey: {
		finding: 'Payments have no Payment Key: each run pays again.',
		whatToDo:
			'Enter a text that belongs to one payment only, such as the supplier, and the number and year of the invoice.',
	},
	paymentKeyOfRun: {
		finding: 'The Payment Key is new in each run, so that each run pays again.',
		whatToDo:
			'Use a text that stays with the payment, such as the supplier, and the number and year of the invoice.',
	},
	severalAccounts: {
		finding: 'Nodes of one workflow use different accounts: under another account, a payment is made again.',
		whatToDo:
			'Choose the same credential in each node. If two accounts are meant, make one workflow for each.',
	},
	unguardedLoop: {
		finding:
			'The workflow comes back to a payment and asks nobody in between: what is unknown may be paid twice.',
		whatToDo: sentences(
			'Send what is unknown to a person, and let only the answer lead back.',
			'For a list, use Loop Over Items.',
		),
	},
	outcomeForAll: {
		finding: 'If Outcome Is Unknown has one answer for all payments, so nobody looks up what happened.',
		whatToDo: 'Remove the option, or let an expression take the answer of a person for each payment.',
	},
	disabledBeforePayment: {
		finding:
			'A question or a check before a payment is disabled. n8n hands its items on, as if the answer were yes.',
		whatToDo: 'Enable the node. To leave it out for good, delete it and look at what pays behind it.',
	},
	unreadRows: {
		finding:
			'Rows of a sheet, a table, a form or a webhook are paid as they were written: whoever writes one can say who has approved it.',
		whatToDo:
			'Put Read of Wallet Service Desk behind this node, and set approvedBy behind Read, from the answer of a person.',
	},
	decisionForAll: {
		finding:
			'A call says for all rows who has approved them, what became of them, or that they may repeat other payments.',
		whatToDo: 'Empty these inputs of the call, and let each item carry what a person has said.',
	},
	approvalForAll: {
		finding:
			'Approved By has one name for all payments: each of them counts as approved, and nobody is asked.',
		whatToDo: 'Let an expression take the name of the person from each item, or remove the option.',
	},
	uncheckedApproval: {
		finding: 'Dry Run waits until somebody approves, but any text in that field pays, such as "no".',
		whatToDo:
			'Add the option Approved By, and let it read the same field: it refuses an item without the name of somebody.',
	},
	otherSums: {
		finding:
			'The sums above which a second person is asked are not those of the node that pays: one person alone can let more go out, or rows come back unpaid.',
		whatToDo:
			'Enter the same sum for each code in Second Approval Above of Report, and in Second Approval Above per Day under Limits of Pay List.',
	},
	answeredByLink: {
		finding:
			'A question before a payment is answered when its link is opened. Programs that scan mails and chats open links.',
		whatToDo: sentences(
			'In Send and Wait choose Response Type: Custom Form. In Wait choose Resume: On Form Submitted.',
			'For a tool of an agent, let the tool call a workflow that asks with such a form.',
		),
	},
	noPassword: {
		finding:
			'A question before a payment asks for no password: whoever may read the executions of n8n can answer it, a program with a key of its API, too.',
		whatToDo: sentences(
			'Ask with a Wait node of version 1.1: Resume On Form Submitted, Authentication Basic Auth, and a mail with its link before it.',
			'If you keep Send and Wait, let nobody read executions who may not approve.',
		),
	},
	decisionByModel: {
		finding:
			'A model fills in who has approved a payment, what became of it, or that it may repeat another one: it approves its own payments.',
		whatToDo: 'Enter a fixed text for who approved them, and leave the others empty.',
	},
	inputByItem: {
		finding: 'A tool takes inputs from the item, and a model can put its own values in their place.',
		whatToDo:
			"Read them from a node by its name, such as {{ $('Form').first().json.amount }}, or enter fixed values.",
	},
	paidByModel: {
		finding: 'A model can pay with this tool, and no person is asked in between.',
		whatToDo: sentences(
			'Let the tool call a workflow that asks a person before it pays, as the example Agent asks for payouts does.',
			"Without that, only the limits of the node that pays hold the model's payments.",
		),
	},
	reviewedByN8n: {
		finding: "A tool that pays waits for n8n's own approval, and a model can change what was approved.",
		whatToDo:
			'Let the tool call a workflow that asks a person by a form, as Agent asks for payouts does, and remove the approval.',
	},
	openMcpServer: {
		finding: 'Whoever knows the address of an MCP server can use its tools, and they lead to payments.',
		whatToDo: 'In MCP Server Trigger, under Authentication choose Bearer Auth.',
	},
	keyOfN8n: {
		finding:
			'Beside an AI agent, a key or a tool leads to n8n itself. What reads executions can answer Send and Wait in place of a person.',
		whatToDo: 'Move it into a workflow without an agent, and give its key no scope for executions.',
	},
	availableToModels: {
		finding:
			'Models may run this workflow through the MCP access of n8n, change it, and answer its questions in place of a person.',
		whatToDo: 'Open its settings and turn off Available in MCP.',
	},
	openToCallers: {
		finding: 'Any workflow and any agent of n8n may call this workflow, and say who approved its payments.',
		whatToDo:
			'In its settings, under This workflow can be called by, choose Selected workflows, and enter the IDs of those that call it.',
	},
	noVerification: {
		finding: 'A trigger takes deliveries from anyone, such as a deposit that was never made.',
		whatToDo: 'Under Verification choose Use Credential. The credential needs the Webhook Secret.',
	},
	noMaximumAmount: {
		finding: 'Payments have no Maximum Amount.',
		whatToDo:
			'Add this option and enter the largest amount of one payment. In Pay List, each entry of Limits has it.',
	},
	noMaximumPerDay: {
		finding: 'Payments have no Maximum Payments per Day.',
		whatToDo: 'Add this option and enter the most payments that you make in a day.',
	},
	noAllowedAliases: {
		finding: 'Payouts have no Allowed Aliases: they go wherever the item says.',
		whatToDo:
			'Add this option and enter the settlement accounts or wallets to which you pay. In Pay List, each entry of Limits has it.',
	},
	disabledAction: {
		finding:
			'A node that pays, writes or calls a workflow is disabled. n8n hands its items on, as if that were done.',
		whatToDo: 'Enable the node, or delete it.',
	},
	answeredBeforeQuestion: {
		finding:
			'The trigger answers the service When Workflow Finishes, and the workflow waits: n8n answers as it begins to wait, so what fails after that is not delivered again.',
		whatToDo: sentences(
			'Under Respond choose Immediately, and an Error Workflow in the settings.',
			'Or ask in a workflow that is called without waiting for it.',
		),
	},
	noErrorWorkflow: {
		finding: 'If this workflow fails, nobody hears of it.',
		whatToDo: sentences(
			'In its settings choose an Error Workflow that sends a mail, and publish that one.',
			'After a crash or a time-out n8n does not start it.',
		),
	},
	noExecutions: {
		finding:
			'n8n does not keep all executions of this workflow: they show who was asked and what was sent, and Retry needs them.',
		whatToDo: 'In its settings, choose to save failed, successful and manual executions.',
	},
	noCredential: {
		finding: 'A credential is not chosen. An import does not bring one.',
		whatToDo: 'Open these nodes and choose it.',
	},
	sandboxCredential: {
		finding: 'A credential with "sandbox" in its name is chosen.',
		whatToDo:
			'Create credentials for the live account, for your mail server and for each approver, and choose them.',
	},
	exampleAddress: {
		finding: 'An address of an example, such as name@example.com, is still there.',
		whatToDo: 'Enter your own senders, receivers, approvers and chats.',
	},
	addressWithPath: {
		finding:
			'The address of n8n has a path. If a proxy takes the path away, n8n refuses the links of this question (401).',
		whatToDo:
			'Give n8n an address without a path (WEBHOOK_URL), or ask with a Wait node and Resume: On Form Submitted.',
	},
	notPublished: {
		finding: 'This workflow is not published: it does not start by itself, and others cannot call it.',
		whatToDo: 'Publish it, or archive it if you do not need it.',
	},
	unpublishedChanges: {
		finding: 'n8n still runs the version before the last change, which was checked here.',
		whatToDo: 'Look at the change and publish the workflow again.',
	},
} satisfies Record<string, FindingTexts>;

/** The workflows as a whole. */
export const WORKFLOWS = {
	areNotShown: (reason: string): FindingTexts => ({
		finding: `n8n does not show its workflows: ${reason}`,
		whatToDo: sentences(
			'In n8n, open Settings, n8n API, and create a key that may list and read workflows.',
			'Enter it in a credential n8n API. Its Base URL is the address of your n8n with /api/v1.',
		),
	}),
	haveNoNodeOfOurs: {
		finding: 'No workflow with a node of the service was read, not even this one, so nothing was checked.',
		whatToDo:
			'Put the node n8n before this one: Resource Workflow, Operation Get Many, Return All. Save this workflow, and run it again.',
	},
};

/** The one item if nothing is left. */
export const NOTHING_IS_LEFT: FindingTexts = {
	finding: 'Nothing is left here.',
	whatToDo: 'Make the first live payout small, and look it up at the service.',
};

/** Of places that are not named. */
export const MORE = (count: number) => `and ${count} more`;
