/**
 * Pays items: all are checked before the first is sent, they go out one at a time, and none goes out twice. The one
 * implementation for both ways in which n8n calls the node.
 */
import { labelOfOption } from '../parameters/payments.ts';
import { notSent } from '../call/failure.ts';
import { identifierOf } from '../call/readResponse.ts';
import type { SendOptions } from '../call/send.ts';
import { LIMIT, PAYMENT, PAYMENT_KEY, UNKNOWN_ADVICE } from '../messages.ts';
import { itemsInWords } from '../numbering.ts';
import type { CallResult, Executed, Failure } from '../result.ts';
import { checkItems } from './checkItems.ts';
import type { Batch, Checked, Plan, Refused } from './checkItems.ts';
import type { LedgerEntry } from './executionLedger.ts';
import type { Claim, Decision, KeyedPayment, KeyState } from './paymentKeys.ts';
import { withResult } from './row.ts';
import type { Row } from './row.ts';
import { refusedRun, stoppedRun } from './stopped.ts';

/** One run of the node over its items, or one try of it. */
export interface PaymentRun extends Batch {
	/** Never throws. `paymentKey` goes to the service if the credential names a header for it. */
	send(body: string | undefined, options: SendOptions & { simplify: boolean }): Promise<CallResult>;
	/** Does everything but send. Returns the request as an item if it is to be shown. */
	dryRun(
		body: string | undefined,
		options: { showRequest: boolean; paymentKey?: string },
	): Promise<CallResult>;
	keys: RunKeys;
	/** Why a payment without a key is not sent, if this execution retries another one. */
	checkRetry(): Promise<Failure | undefined>;
	/** Whether the run goes on to the next item after a failed one. */
	continueOnFail: boolean;
	isCancelled(): boolean;
}

/** n8n's memory of the workflow, for this run. Each of them throws if n8n cannot keep it. */
export interface RunKeys {
	claim(payment: KeyedPayment, decision: Decision): Promise<Claim | KeyState>;
	/** Takes one of the payments that the workflow may make today. Returns what gives it back; undefined if none is left. */
	takePayment(maximumPerDay: number): Promise<(() => Promise<void>) | undefined>;
}

/** The results of the items. If a run stops, `stoppedAt` holds the failure and its item. */
export interface PaymentResults {
	results: CallResult[];
	stoppedAt?: { item: number; failure: Failure };
}

/** Pays the items of a run in their order. */
export async function payItems(run: PaymentRun): Promise<PaymentResults> {
	const checked = await checkItems(run);
	const { refused } = checked;
	const [firstRefused] = refused;
	if (firstRefused !== undefined && !run.continueOnFail) {
		const [item, { failure }] = firstRefused;
		const isHeldBack = run.heldBack !== undefined;
		return { results: [], stoppedAt: { item, failure: isHeldBack ? failure : refusedRun(run, refused) } };
	}
	const repeatable = findRepeatable(run, checked);
	const stale = refused.size === 0 && repeatable.size > 0 ? await run.checkRetry() : undefined;
	if (stale === undefined && refused.size === 0) run.ledger.takeOver();
	const payer = new Payer(run, checked);
	const results: CallResult[] = [];
	for (const item of run.items.keys()) {
		const isHeld = stale !== undefined && repeatable.has(item);
		const result = isHeld ? failed(stale, checked.plans.get(item)?.row) : await payer.pay(item);
		if (!result.ok && !run.continueOnFail) {
			const isAlone = isHeld && item === 0;
			const failure = isAlone ? stale : stoppedRun(run, results, item, result.failure);
			return { results, stoppedAt: { item, failure } };
		}
		results.push(result);
	}
	return { results };
}

/** The items that only the ledger keeps from being paid again: they have no key, and are no dry run. */
function findRepeatable({ items, ledger }: PaymentRun, { plans }: Checked): Set<number> {
	const isRepeatable = (item: number) => {
		const { keyed, options } = plans.get(item) ?? {};
		return (keyed ?? ledger.get(item))?.key === undefined && options?.dryRun !== true;
	};
	return new Set([...items.keys()].filter(isRepeatable));
}

/** Pays one item after the other. */
class Payer {
	readonly #run: PaymentRun;
	readonly #plans: Map<number, Plan>;
	readonly #refused: Map<number, Refused>;
	/** Why n8n cannot keep a key. No further key is tried then, because each could become unknown. */
	#unusable?: Failure;

	constructor(run: PaymentRun, { plans, refused }: Checked) {
		this.#run = run;
		this.#plans = plans;
		this.#refused = refused;
	}

	async pay(item: number): Promise<CallResult> {
		const { ledger, heldBack } = this.#run;
		const plan = this.#plans.get(item);
		const earlier = heldBack === undefined ? ledger.get(item) : undefined;
		if (earlier !== undefined && (ledger.isFinal(item) || earlier.key !== plan?.keyed?.key)) {
			return this.#earlierResult(earlier);
		}
		if (plan === undefined || this.#refused.size > 0) {
			const { failure, row } = this.#refused.get(item) ?? {
				failure: heldBackBy(this.#refused),
				row: plan?.row,
			};
			return failed(failure, row);
		}
		if (this.#run.isCancelled()) return failed(notSent(PAYMENT.runStopped()), plan.row);
		if (plan.options.dryRun) return await this.#dryRun(plan);
		if (plan.keyed !== undefined) return await this.#payWithKey(item, plan, plan.keyed);
		return await this.#sendToday(item, plan);
	}

	/** Sends a payment if its key was not used before. Otherwise returns what is known of it. */
	async #payWithKey(item: number, plan: Plan, keyed: KeyedPayment): Promise<CallResult> {
		if (this.#unusable !== undefined) return failed(this.#unusable, plan.row);
		let claim: Claim | KeyState;
		try {
			claim = await this.#run.keys.claim(keyed, plan.options.ifOutcomeIsUnknown ?? 'doNotPay');
		} catch (error) {
			this.#unusable = notSent(PAYMENT_KEY.cannotBeKept((error as Error).message));
			return failed(this.#unusable, plan.row);
		}
		if (claim.is !== 'claimed') return this.#knownResult(item, plan, claim);
		const result = await this.#sendToday(item, plan);
		if (result.ok) {
			// If n8n cannot store this, the key stays with an unknown outcome and is not paid again.
			await claim.accepted().catch(() => {});
		} else if (result.failure.outcome === 'unknown') {
			await claim.leaveUnknown().catch(() => {});
		} else {
			const { failure } = result;
			await claim.release().catch(() => (failure.description += ` ${PAYMENT_KEY.isNotFree}`));
		}
		return result;
	}

	/** Sends a payment, unless the run was stopped meanwhile or the day's payments are used up. */
	async #sendToday(item: number, plan: Plan): Promise<CallResult> {
		const { maximumPerDay } = plan.options;
		let giveBack = async () => await Promise.resolve();
		if (maximumPerDay !== undefined) {
			const label = labelOfOption('maximumPerDay');
			try {
				const taken = await this.#run.keys.takePayment(maximumPerDay);
				if (taken === undefined)
					return failed(notSent(LIMIT.perDayIsReached(label, String(maximumPerDay))), plan.row);
				giveBack = taken;
			} catch (error) {
				return failed(notSent(LIMIT.isNotKept(label, (error as Error).message)), plan.row);
			}
		}
		const isStopped = this.#run.isCancelled();
		const result = isStopped
			? failed(notSent(PAYMENT.runStopped()), plan.row)
			: await this.#sendOnce(item, plan);
		// What moved no money is none of the day's payments. If this fails, one payment less is possible.
		if (!result.ok && result.failure.outcome !== 'unknown') await giveBack().catch(() => {});
		return result;
	}

	/** The result of an item whose key was used before. */
	#knownResult(item: number, { row }: Plan, state: KeyState): CallResult {
		const key = String(row.paymentKey);
		switch (state.is) {
			case 'paid':
				this.#run.ledger.delete(item);
				return { ok: true, items: [{ ...withResult('alreadyPaid', row), alreadyPaid: true }] };
			case 'unknown': {
				const issue = state.mayDecide ? PAYMENT_KEY.hasUnknownOutcome(key) : PAYMENT_KEY.wasTried(key);
				return failed({ ...notSent(issue), outcome: 'unknown' }, row);
			}
			case 'different': {
				const isAccount = state.details.join() === 'account';
				const issue = isAccount
					? PAYMENT_KEY.wasUsedByAnotherAccount(key)
					: PAYMENT_KEY.wasUsedDifferently(key, state.details.join(' and ') || 'request');
				return failed(notSent(issue), row);
			}
		}
	}

	/** Sends a payment and keeps its outcome in the ledger. */
	async #sendOnce(item: number, plan: Plan): Promise<CallResult> {
		const { ledger, entry, send } = this.#run;
		const { request, simplify, row, keyed } = plan;
		const { amount, currency, destination, body } = request;
		const executed: Executed = { itemIndex: item, amount };
		const known = { amount, currency, destination, row, executed, ...(keyed && { key: keyed.key }) };
		const sent = { route: entry.endpoint.route, ...known };
		// Recorded as unknown before it is sent: if n8n stops in between, the payment must not count as unsent.
		ledger.set(item, { ...sent, outcome: 'unknown', failure: inFlight() });
		const answer = await send(body, {
			simplify,
			asked: request.money,
			refusedCodes: plan.options.refusedCodes,
			paymentKey: keyed?.sent,
		});
		if (answer.ok) {
			const id = identifierOf(entry.endpoint, answer.items[0] ?? {});
			const done = entry.endpoint.movesMoney === undefined ? 'done' : 'paid';
			const items = answer.items.map((json) => withResult(done, row, json, !simplify));
			ledger.set(item, {
				...sent,
				outcome: 'accepted',
				executed: { ...executed, ...(id !== undefined && { id }) },
				items,
			});
			return { ok: true, items };
		}
		const isUnknown = answer.failure.outcome === 'unknown';
		const named =
			isUnknown && keyed ? { ...answer.failure, description: UNKNOWN_ADVICE.paymentWithKey } : answer.failure;
		if (isUnknown) ledger.set(item, { ...sent, outcome: 'unknown', failure: named });
		else ledger.delete(item);
		return failed(named, row);
	}

	/** A dry run asks no record and writes nothing. */
	async #dryRun({ request, options, row, keyed }: Plan): Promise<CallResult> {
		const shown = { showRequest: options.showRequest, paymentKey: keyed?.sent };
		const answer = await this.#run.dryRun(request.body, shown);
		if (!answer.ok) return failed(answer.failure, row);
		return {
			ok: true,
			items: answer.items.map((json) => ({ ...withResult('dryRun', row, json), dryRun: true })),
		};
	}

	/** The result of a payment that an earlier try has sent. */
	#earlierResult(earlier: LedgerEntry): CallResult {
		if (earlier.route !== this.#run.entry.endpoint.route) {
			return failed(notSent(PAYMENT.wasMadeByAnotherOperation(earlier.route)), earlier.row);
		}
		if (earlier.outcome === 'accepted') return { ok: true, items: earlier.items };
		const { message, description } = notSent(PAYMENT.mayHaveBeenMade(earlier.failure.message));
		return failed({ ...earlier.failure, message, description }, earlier.row);
	}
}

function failed(failure: Failure, row: Row = {}): CallResult & { ok: false } {
	return { ok: false, failure, row: withResult(failure.outcome, row) };
}

function inFlight(): Failure {
	return { ...notSent(PAYMENT.wasUnderWay()), outcome: 'unknown' };
}

function heldBackBy(refused: Map<number, Refused>): Failure {
	return notSent(PAYMENT.anotherItemIsInvalid(itemsInWords([...refused.keys()])));
}
