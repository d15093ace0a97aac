/** What can be left to do before the first live payout: each rule finds its places. */
import type { FINDINGS } from './messages.ts';
import * as approvals from './rulesOfApprovals.ts';
import * as models from './rulesOfModels.ts';
import * as nodes from './rulesOfNodes.ts';
import * as payments from './rulesOfPayments.ts';
import type { Place } from './places.ts';
import * as workflows from './rulesOfWorkflows.ts';
import type { Workflows } from './workflows.ts';

/** The dangerous ones first: what pays twice or without a yes, then what has no limit, then what is not ready. Texts: messages.ts. */
export const RULES: Readonly<Record<keyof typeof FINDINGS, (workflows: Workflows) => Place[]>> = {
	unreadableWorkflow: workflows.notReadable,
	bareRequest: payments.bareRequests,
	noPaymentKey: payments.withoutPaymentKey,
	paymentKeyOfRun: payments.withPaymentKeyOfRun,
	severalAccounts: nodes.withSeveralAccounts,
	unguardedLoop: payments.inUnguardedLoops,
	outcomeForAll: payments.withOutcomeForAll,
	disabledBeforePayment: approvals.disabledBeforePayments,
	unreadRows: approvals.withUnreadRows,
	decisionForAll: approvals.withDecisionForAll,
	approvalForAll: approvals.withApprovalForAll,
	uncheckedApproval: approvals.withUncheckedApproval,
	otherSums: approvals.withOtherSums,
	answeredByLink: approvals.answeredByLink,
	noPassword: approvals.withoutPassword,
	decisionByModel: models.withDecisionByModel,
	inputByItem: models.withInputByItem,
	paidByModel: models.paidByModels,
	reviewedByN8n: models.reviewedByN8n,
	openMcpServer: models.openMcpServers,
	keyOfN8n: models.besideKeysOfN8n,
	availableToModels: models.availableToModels,
	openToCallers: models.openToCallers,
	noVerification: nodes.withoutVerification,
	noMaximumAmount: payments.withoutMaximumAmount,
	noMaximumPerDay: payments.withoutMaximumPerDay,
	noAllowedAliases: payments.withoutAllowedAliases,
	disabledAction: nodes.disabledActions,
	answeredBeforeQuestion: nodes.answeredBeforeQuestions,
	noErrorWorkflow: workflows.withoutErrorWorkflow,
	noExecutions: workflows.withoutExecutions,
	noCredential: nodes.withoutCredential,
	sandboxCredential: nodes.withSandboxCredential,
	exampleAddress: nodes.withExampleAddress,
	addressWithPath: nodes.behindAddressWithPath,
	notPublished: workflows.notPublished,
	unpublishedChanges: workflows.withUnpublishedChanges,
};
