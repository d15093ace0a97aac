/** What can be left to do before the first live payout: each matter by its stable name, and where it is found. */
import * as connections from './connectionMatters.ts';
import * as payments from './paymentMatters.ts';
import * as persons from './personMatters.ts';
import type { Place } from './place.ts';
import type { SetUp } from './setUp.ts';
import * as workflows from './workflowMatters.ts';

/** In the order in which a person reads them. What each asks for stands in messages.ts. */
export const MATTERS = {
	unreadableWorkflow: workflows.notReadable,
	noCredential: connections.withoutCredential,
	sandboxCredential: connections.withSandboxCredential,
	severalAccounts: connections.withSeveralAccounts,
	bareRequest: payments.bareRequests,
	noPaymentKey: payments.withoutPaymentKey,
	paymentKeyOfRun: payments.withPaymentKeyOfRun,
	outcomeForAll: payments.withOutcomeForAll,
	decisionForAll: payments.withDecisionForAll,
	approvalForAll: payments.withApprovalForAll,
	uncheckedApproval: payments.withUncheckedApproval,
	unreadRows: payments.withUnreadRows,
	decisionByModel: payments.withDecisionByModel,
	openToCallers: payments.openToCallers,
	availableToModels: workflows.availableToModels,
	unguardedLoop: payments.inUnguardedLoops,
	retriedPayment: payments.retriedPayments,
	noMaximumAmount: payments.withoutMaximumAmount,
	noMaximumPerDay: payments.withoutMaximumPerDay,
	noAllowedAliases: payments.withoutAllowedAliases,
	onlyDryRun: payments.onlyDryRuns,
	answeredByLink: persons.answeredByLink,
	addressWithPath: persons.behindAddressWithPath,
	exampleAddress: connections.withExampleAddress,
	noVerification: connections.withoutVerification,
	missingWorkflow: workflows.calledAndMissing,
	notPublished: workflows.notPublished,
	unpublishedChanges: workflows.withUnpublishedChanges,
	noErrorWorkflow: workflows.withoutErrorWorkflow,
	noExecutions: workflows.withoutExecutions,
} satisfies Record<string, (setUp: SetUp) => Place[]>;

export type Matter = keyof typeof MATTERS;
