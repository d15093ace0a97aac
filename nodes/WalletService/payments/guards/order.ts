/** The guards of a payment, in their order: what decides first, and what a later guard needs to know, comes first. */
import type { Payment } from '../../input/payment.ts';
import { dailyLimit } from './dailyLimit.ts';
import type { DayPort } from './dailyLimit.ts';
import { duplicateCheck } from './duplicateCheck.ts';
import type { DuplicatePort } from './duplicateCheck.ts';
import type { Guard } from './guard.ts';
import { executionTotal } from './executionTotal.ts';
import { halt } from './halt.ts';
import type { Journal } from './journal.ts';
import { journalGuard } from './journalGuard.ts';
import { keyGuard } from './keyGuard.ts';
import type { KeyPort } from './keyGuard.ts';
import { listTotal } from './listTotal.ts';
import { market } from './market.ts';
import { secondApproval } from './secondApproval.ts';
import type { TotalPort } from './secondApproval.ts';

/** What the guards ask of n8n. */
export interface GuardPort extends KeyPort, DuplicatePort, DayPort, TotalPort {
	journal: Journal;
	/** Each item stands for itself: another one that is wrong does not hold it. */
	isEachAlone: boolean;
	/** Of a list, whose totals are those of each currency and coin. */
	rows?: readonly unknown[];
	isCancelled(): boolean;
}

/** `payments`: what was read of the items. */
export function guardsOf(port: GuardPort, payments: ReadonlyMap<number, Payment>): Guard[] {
	return [
		journalGuard(port.journal, port),
		keyGuard(port),
		halt(port.journal),
		port.rows === undefined ? executionTotal(port.journal, port.isEachAlone) : listTotal(port.journal),
		secondApproval(port, payments),
		duplicateCheck(port),
		dailyLimit(port),
		market,
	];
}
