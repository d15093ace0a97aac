/**
 * Pays items: all are checked before the first is sent, they go out one at a time, and none goes out twice. The one
 * implementation for both ways in which n8n calls the node.
 */
import { labelOfOption } from '../description/payments.ts';
import { notSent } from '../http/failure.ts';
import { identifierOf } from '../http/readResponse.ts';
import { LIMIT, PAYMENT, PAYMENT_KEY, UNKNOWN_ADVICE } from '../messages.ts';
import { itemsInWords } from '../numbering.ts';
import type { CallResult, Executed, Failure } from '../result.ts';
import { checkItems, detailsOf } from './checkItems.ts';
import type { Batch, Checked, Plan, Refused } from './checkItems.ts';
import type { LedgerEntry } from './executionLedger.ts';
import type { Claim, ClaimOptions, KeyedPayment, KeyState } from './paymentKeys.ts';
import { withResult } from './row.ts';
import type { Row } from './row.ts';
import { refusedRun, stoppedRun } from './stopped.ts';

/** One run of the node over its items, or one try of it. */
export interface PaymentRun extends Batch {
	/** Never throws. `paymentKey` goes to a service that makes a payment with the same key once. */
	send(
		body: string | undefined,
		options: { simplify: boolean; asked: Record<string, string>; paymentKey?: string },
	): Promise<CallResult>;
	/** Does everything but send. Returns the request as an item if it is to be shown. */
	dryRun(body: string | undefined, showRequest: boolean): Promise<CallResult>;
	/** Undefined where n8n offers no record of Payment Keys. */
	keys?: RunKeys;
	/** JSON text of a tool call's arguments. */
	input?: string;
	/** Whether the run goes on to the next item after a failed one. */
	continueOnFail: boolean;
	isCancelled(): boolean;
}

/** The Payment Keys of the workflow, for this run. */
export interface RunKeys {
	claim(payment: KeyedPayment, options: ClaimOptions): Promise<Claim | KeyState>;
	/** Takes one of the payments that the workflow may make today. False if none is left. */
	takePayment(maximumPerDay: number): Promise<boolean>;
	/** The tickets of released claims whose keys are not free after all. */
	findNotFreed(released: ReadonlyMap<string, string[]>): Promise<string[]>;
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
	const payer = new Payer(run, checked);
	const results: CallResult[] = [];
	try {
		for (const item of run.items.keys()) {
			const result = await payer.pay(item);
			if (!result.ok && !run.continueOnFail) {
				await payer.end();
				const failure = stoppedRun(run, results, item, result.failure);
				return { results, stoppedAt: { item, failure } };
			}
			results.push(result);
		}
	} finally {
		await payer.end();
	}
	return { results };
}

/** Pays one item after the other, and claims the key of the next one meanwhile. */
class Payer {
	readonly #run: PaymentRun;
	readonly #plans: Map<number, Plan>;
	readonly #refused: Map<number, Refused>;
	/** The header that carries the key to the service. */
	readonly #header?: string;
	readonly #claims = new Map<number, Promise<Claim | KeyState>>();
	/** Failures of items whose key is to be free, by the ticket of the claim. */
	readonly #released = new Map<string, { entries: string[]; failure: Failure }>();
	/** The item that is paid now. Only the key of the next one is claimed ahead: a kill would make each of them unknown. */
	#current = -1;
	#hasEnded = false;
	/** Why n8n's record cannot be used. No further key is tried then, because each could become unknown. */
	#unusable?: Failure;

	constructor(run: PaymentRun, { plans, refused, paymentKeyHeader }: Checked) {
		this.#run = run;
		this.#plans = plans;
		this.#refused = refused;
		this.#header = paymentKeyHeader;
	}

	async pay(item: number): Promise<CallResult> {
		this.#current = item;
		const { ledger, heldBack: reason } = this.#run;
		const plan = this.#plans.get(item);
		const earlier = reason === undefined ? ledger.get(item) : undefined;
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
		if (plan.keyed !== undefined && this.#run.keys !== undefined) return await this.#payWithKey(item, plan);
		// Without a key, the same payment in another run may be another try of a tool.
		const elsewhere = ledger.unknownElsewhere(this.#identityOf(plan));
		if (elsewhere !== undefined) return this.#earlierResult(elsewhere);
		const held = await this.#heldByDay(plan);
		return held === undefined ? await this.#sendOnce(item, plan) : failed(held, plan.row);
	}

	/** Frees what was claimed and not sent, and checks that released keys stay free. */
	async end(): Promise<void> {
		this.#hasEnded = true;
		const claims = [...this.#claims.values()];
		this.#claims.clear();
		for (const claim of claims) {
			const claimed = await claim.catch(() => undefined);
			if (claimed?.is === 'claimed') await claimed.release().catch(() => {});
		}
		const { keys } = this.#run;
		if (keys === undefined || this.#released.size === 0) return;
		const released = new Map([...this.#released].map(([ticket, { entries }]) => [ticket, entries]));
		const notFreed = await keys.findNotFreed(released).catch(() => [...released.keys()]);
		for (const ticket of notFreed) sayThatKeyIsNotFree(this.#released.get(ticket)?.failure);
		this.#released.clear();
	}

	/** The claim of an item's key. The next item's key is claimed while this payment is under way. */
	async #claimOf(item: number): Promise<Claim | KeyState> {
		const earlier = this.#claims.get(item);
		if (earlier !== undefined) return await earlier;
		const plan = this.#plans.get(item);
		const { keys } = this.#run;
		if (plan?.keyed === undefined || keys === undefined) throw new Error('There is no key to claim');
		const { ifOutcomeIsUnknown } = plan.options;
		const claiming = keys.claim(plan.keyed, {
			decision: ifOutcomeIsUnknown ?? 'doNotPay',
			// Do Not Pay, if chosen, sends nothing.
			...(ifOutcomeIsUnknown !== 'doNotPay' && this.#header !== undefined && { header: this.#header }),
			beforeConfirming: () => this.#claimAhead(item + 1),
		});
		this.#claims.set(item, claiming);
		return await claiming;
	}

	#claimAhead(item: number): void {
		if (this.#hasEnded || item !== this.#current + 1) return;
		const { keyed, options } = this.#plans.get(item) ?? {};
		const isWanted = keyed !== undefined && options?.dryRun === false && !this.#run.isCancelled();
		if (isWanted && this.#run.ledger.get(item) === undefined) this.#claimOf(item).catch(() => {});
	}

	/** Sends a payment if its key was not used before. Otherwise returns what is known of it. */
	async #payWithKey(item: number, plan: Plan): Promise<CallResult> {
		if (this.#unusable !== undefined) return failed(this.#unusable, plan.row);
		let claim: Claim | KeyState;
		try {
			claim = await this.#claimOf(item);
		} catch (error) {
			this.#unusable = notSent(PAYMENT_KEY.cannotBeKept(reasonIn(error as Error)));
			return failed(this.#unusable, plan.row);
		} finally {
			this.#claims.delete(item);
		}
		if (claim.is !== 'claimed') return this.#knownResult(item, plan, claim);
		const held = this.#run.isCancelled() ? notSent(PAYMENT.runStopped()) : await this.#heldByDay(plan);
		if (held !== undefined) {
			await this.#release(claim, held);
			return failed(held, plan.row);
		}
		this.#claimAhead(item + 1);
		const result = await this.#sendOnce(item, plan, claim.isRepeated);
		if (result.ok) {
			// If n8n cannot store this, the key stays with an unknown outcome and is not paid again.
			await claim.accepted().catch(() => {});
		} else if (result.failure.outcome === 'unknown') {
			await claim.leaveUnknown().catch(() => {});
		} else {
			await this.#release(claim, result.failure);
		}
		return result;
	}

	/** Why the payment is not sent today; undefined if it is. */
	async #heldByDay({ options: { maximumPerDay } }: Plan): Promise<Failure | undefined> {
		if (maximumPerDay === undefined) return undefined;
		const label = labelOfOption('maximumPerDay');
		try {
			const isTaken = await this.#run.keys?.takePayment(maximumPerDay);
			return isTaken === true ? undefined : notSent(LIMIT.perDayIsReached(label, String(maximumPerDay)));
		} catch (error) {
			return notSent(LIMIT.isNotKept(label, reasonIn(error as Error)));
		}
	}

	async #release(claim: Claim, failure: Failure): Promise<void> {
		const [ticket, entries] = claim.released;
		this.#released.set(ticket, { entries, failure });
		// If this fails, `end` checks whether it was stored.
		await claim.release().catch(() => {});
	}

	/** The result of an item whose key was used before. */
	#knownResult(item: number, { row }: Plan, state: KeyState): CallResult {
		const key = String(row.paymentKey);
		switch (state.is) {
			case 'paid':
				this.#run.ledger.delete(item);
				return { ok: true, items: [{ ...withResult('alreadyPaid', row), alreadyPaid: true }] };
			case 'unknown': {
				const issue = state.wasTried ? PAYMENT_KEY.wasTried(key) : PAYMENT_KEY.hasUnknownOutcome(key);
				return failed({ ...notSent(issue), outcome: 'unknown' }, row);
			}
			case 'different': {
				const issue =
					state.details === undefined
						? PAYMENT_KEY.wasUsedForAnotherPayment(key)
						: PAYMENT_KEY.wasUsedDifferently(key, state.details.join(' and '));
				return failed(notSent(issue), row);
			}
		}
	}

	/** Sends a payment and keeps its outcome in the ledger. `isRepeated`: an earlier request may have reached the service. */
	async #sendOnce(item: number, plan: Plan, isRepeated = false): Promise<CallResult> {
		const { ledger, entry, send } = this.#run;
		const { request, simplify, row, keyed } = plan;
		const { amount, currency, destination, body } = request;
		const executed: Executed = { itemIndex: item, amount };
		const known = { amount, currency, destination, row, executed, ...(keyed && { key: keyed.key }) };
		const sent = { ...this.#identityOf(plan), ...known };
		// Recorded as unknown before it is sent: if n8n stops in between, the payment must not count as unsent.
		ledger.set(item, { ...sent, outcome: 'unknown', failure: inFlight() });
		const answer = await send(body, {
			simplify,
			asked: request.money,
			...(keyed && this.#header !== undefined && { paymentKey: keyed.key }),
		});
		if (answer.ok) {
			const id = identifierOf(entry.endpoint, answer.items[0] ?? {});
			const items = answer.items.map((json) => withResult('paid', row, json, !simplify));
			ledger.set(item, {
				...sent,
				outcome: 'accepted',
				executed: { ...executed, ...(id !== undefined && { id }) },
				items,
			});
			return { ok: true, items };
		}
		const advice = this.#header !== undefined ? 'paymentKnownToService' : 'paymentWithKey';
		let named = answer.failure;
		if (named.outcome === 'unknown' && keyed) named = { ...named, description: UNKNOWN_ADVICE[advice] };
		else if (isRepeated) named = stillUnknown(named);
		if (named.outcome === 'unknown') ledger.set(item, { ...sent, outcome: 'unknown', failure: named });
		else ledger.delete(item);
		return failed(named, row);
	}

	/** A dry run asks no record and writes nothing. */
	async #dryRun({ request, options, row }: Plan): Promise<CallResult> {
		const answer = await this.#run.dryRun(request.body, options.showRequest);
		if (!answer.ok) return failed(answer.failure, row);
		return {
			ok: true,
			items: answer.items.map((json) => ({ ...withResult('dryRun', row, json), dryRun: true })),
		};
	}

	#identityOf({ request }: Plan): { route: string; payment: string; input?: string } {
		const { entry, input } = this.#run;
		return { route: entry.endpoint.route, payment: JSON.stringify(detailsOf(request)), input };
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

/** n8n's message advises clearing the record, which deletes all keys. Other words replace it. */
function reasonIn({ message }: Error): string {
	return /Clean Database/i.test(message) ? 'another node of this workflow keeps other data in it' : message;
}

function failed(failure: Failure, row: Row = {}): CallResult {
	return { ok: false, failure, row: withResult(failure.outcome, row) };
}

function inFlight(): Failure {
	return { ...notSent(PAYMENT.wasUnderWay()), outcome: 'unknown' };
}

/** The service has refused a request that was sent again, which says nothing about the first one. */
function stillUnknown(failure: Failure): Failure {
	return { ...failure, ...notSent(PAYMENT_KEY.isStillUnknown(failure.message)), outcome: 'unknown' };
}

function sayThatKeyIsNotFree(failure: Failure | undefined): void {
	if (failure !== undefined) failure.description = `${failure.description} ${PAYMENT_KEY.isNotFree}`;
}

function heldBackBy(refused: Map<number, Refused>): Failure {
	return notSent(PAYMENT.anotherItemIsInvalid(itemsInWords([...refused.keys()])));
}
