/**
 * Executions that pay lists with the node's own code, in one or two processes over one record. Nothing happens by itself: each
 * read and write of the record, each pause and each answer of the service is a step that a search chooses.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { getEndpoint } from '../../../api/catalog.ts';
import type { ExecutionLedger } from '../../../nodes/WalletService/action/payment/executionLedger.ts';
import type { payItems, PaymentRun } from '../../../nodes/WalletService/action/payment/payItems.ts';
import type { PaymentKeys } from '../../../nodes/WalletService/action/payment/paymentKeys.ts';
import type { ProcessedItems, SharedRecord } from '../../../nodes/WalletService/sharedRecord.ts';
import type { CallResult } from '../../../nodes/WalletService/action/result.ts';
import { startAdd, startRemove } from '../../../host/doubles/processedItems.ts';
import type { Rows } from '../../../host/doubles/processedItems.ts';
import { Service } from './service.ts';
import type { Answer, Decision, Sent } from './service.ts';

/** The node's code: its sources or what is published. */
export interface NodeCode {
	payItems: typeof payItems;
	ExecutionLedger: typeof ExecutionLedger;
	PaymentKeys: typeof PaymentKeys;
	SharedRecord: typeof SharedRecord;
	getEndpoint: typeof getEndpoint;
	/** The sentence that says that a key is not free. */
	isNotFree: string;
}

/** What an execution pays. */
export interface ExecutionPlan {
	name: string;
	process: string;
	account?: string;
	pays: Payment[];
}

export interface Payment {
	key: string;
	amount: string;
	decision?: Exclude<Decision, 'sendAgain'>;
}

export function nameOf({ account = 'live' }: ExecutionPlan, { key, amount }: Payment): string {
	return `${key} ${amount} ${account}`;
}

/** What the node says of an item. */
export interface Said {
	payment: string;
	key: string;
	result: 'paid' | 'alreadyPaid' | 'rejected' | 'unknown' | 'notSent';
	/** A key that was used for another payment. */
	isDifferent: boolean;
	saysNotFree: boolean;
}

/** Everything that outlives a process. */
export interface Stored {
	rows: Rows;
	service: Service;
}

export type Fault = 'kill' | 'failedBefore' | 'failedAfter';

export interface WorldOptions {
	/** Faults that may happen, at most one in a schedule. */
	faults?: Fault[];
	answers?: Answer[];
	/** Whether the read and the write of a call are two steps, as two processes need it. */
	apart?: boolean;
	/** Whether a write may take longer than a pause. */
	slowWrites?: boolean;
}

interface Process {
	keys: PaymentKeys;
	record: SharedRecord;
	isKilled: boolean;
	/** Calls of the record that are not answered, in their order. */
	calls: Set<string>;
	/** Entries that were removed for good, in their order. */
	removed: string[];
	/** Entries that are written again, in their order. */
	again: string[];
	/** What claims that are under way have learned. */
	claims: Map<string, string[]>;
}

export interface Running {
	plan: ExecutionPlan;
	/** What it has learned. */
	history: string[];
	said?: Said[];
	error?: unknown;
}

type Waiting = { process: string; who: string } & (
	| {
			kind: 'call';
			entries: string;
			start(): () => unknown;
			write?: () => unknown;
			isRead: boolean;
			resolve(result: unknown): void;
			reject(error: Error): void;
	  }
	| { kind: 'pause'; after: Set<Waiting>; resolve(): void }
	| { kind: 'send'; sent: Sent; resolve(answer: Answer): void }
);

/** The execution and the claim for which code runs. */
const WHO = new AsyncLocalStorage<{ name: string; claim?: string }>();

const PLACE = 'record';
/** An execution that takes more steps counts as one that does not end. */
const MAX_STEPS = 400;
const ENDPOINT = 'fiatWallet.createPayout';

export class PaymentWorld {
	readonly rows: Rows;
	readonly service: Service;
	/** The invariants that were broken, each with its letter. */
	readonly broken: string[] = [];
	/** The steps so far, in words. */
	readonly trace: string[] = [];
	readonly executions: Running[] = [];
	/** The fault that has happened, and its process. */
	fault?: { is: Fault; process: string };
	readonly #code: NodeCode;
	readonly #options: Required<WorldOptions>;
	readonly #processes = new Map<string, Process>();
	readonly #waiting = new Set<Waiting>();
	/** Short names of entries, which are the same in each run although tickets are random. */
	readonly #names = new Map<string, string>();
	readonly #tickets = new Map<string, number>();
	/** What calls have read. */
	readonly #snapshots = new WeakMap<Waiting, string[] | undefined>();

	constructor(
		code: NodeCode,
		plans: ExecutionPlan[],
		{ rows, service }: Stored,
		{ faults = [], answers = ['accepted'], apart = false, slowWrites = false }: WorldOptions = {},
	) {
		this.#code = code;
		this.#options = { faults, answers, apart, slowWrites };
		this.rows = new Map([...rows].map(([place, entries]) => [place, [...entries]]));
		this.service = service.copy();
		for (const plan of plans) this.start(plan);
	}

	async settle(): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
	}

	/** Whether each execution has ended or was killed with its process. */
	get isOver(): boolean {
		return this.executions.every(
			(running) => isOver(running) || this.#process(running.plan.process).isKilled,
		);
	}

	steps(): Array<() => void> {
		const steps: Array<() => void> = [];
		if (this.trace.length > MAX_STEPS) return steps;
		const add = (name: string, step: () => void) =>
			steps.push(() => {
				this.trace.push(name);
				step();
			});
		const { faults, answers, apart } = this.#options;
		for (const waiting of this.#waiting) {
			const { process, who } = waiting;
			switch (waiting.kind) {
				case 'call': {
					const name = `${process} ${waiting.entries}`;
					if (apart && !waiting.isRead) {
						add(`${name}: read`, () => this.#read(waiting));
						break;
					}
					add(`${name}: written`, () => this.#write(waiting));
					for (const fault of this.#possible(faults))
						if (fault !== 'kill') add(`${name}: ${fault}`, () => this.#fail(waiting, fault));
					break;
				}
				case 'pause':
					if (waiting.after.size === 0)
						add(`${who} has paused`, () => this.#end(waiting, () => waiting.resolve()));
					break;
				case 'send':
					for (const answer of answers)
						add(`${who} sends ${waiting.sent.payment}: ${answer}`, () => {
							this.service.answer(waiting.sent, answer);
							this.#end(waiting, () => waiting.resolve(answer));
						});
			}
		}
		// With one process, nothing follows a kill but the next runs, which `killed` returns.
		if (this.#processes.size > 1 && this.#possible(faults).includes('kill')) {
			for (const [name, process] of this.#processes) {
				const isWorking = this.executions.some(
					(running) => running.plan.process === name && !isOver(running),
				);
				if (process.isKilled || !isWorking) continue;
				for (const made of this.#openOf(name).length > 0 ? [true, false] : [false])
					add(`${name} is killed${made ? ', its payment is made' : ''}`, () => this.#kill(name, made));
			}
		}
		return steps;
	}

	/** What is stored if the only process is killed now: with and without the payments that are on their way. */
	killed(): Stored[] {
		const [[name] = ['']] = this.#processes;
		const open = this.service.sent.map(({ answer }) => answer === 'open');
		const count = this.#openOf(name).length;
		return Array.from({ length: 2 ** count }, (_, bits) => {
			const service = this.service.copy();
			let left = bits;
			for (const [index, request] of service.sent.entries()) {
				if (!open[index]) continue;
				service.answer(request, 'none', left % 2 === 1);
				left = Math.floor(left / 2);
			}
			return { rows: this.rows, service };
		});
	}

	state(): string {
		const waiting = [...this.#waiting].map((one) => this.#stateOf(one));
		const processes = [...this.#processes].map(([name, { isKilled, calls, removed, again, claims }]) =>
			isKilled
				? name
				: [
						name,
						...calls,
						...removed,
						'/',
						...again,
						...[...claims].map(([claim, learned]) => [claim, ...learned]),
					],
		);
		const executions = this.executions.map(({ history, said, error }) => [history, said, String(error)]);
		return JSON.stringify([this.record(), waiting, processes, executions, this.fault, this.service.state()]);
	}

	/** The record in words. The order of its entries matters only to what n8n forgets. */
	record(): string[] | undefined {
		return this.rows
			.get(PLACE)
			?.map((entry) => this.#nameOf(entry))
			.sort();
	}

	/** Called when no step is left. */
	checkThatAllEnded(): void {
		if (!this.isOver) this.broken.push('f: an execution does not end');
	}

	#possible(faults: Fault[]): Fault[] {
		return this.fault === undefined ? faults : [];
	}

	#read(call: Waiting & { kind: 'call' }): void {
		call.isRead = true;
		call.write = call.start();
	}

	#write(call: Waiting & { kind: 'call' }): void {
		if (!call.isRead) this.#read(call);
		this.#end(call, () => {
			try {
				call.resolve(call.write?.());
			} catch (error) {
				call.reject(error as Error);
			}
		});
	}

	#fail(call: Waiting & { kind: 'call' }, is: 'failedBefore' | 'failedAfter'): void {
		this.fault = { is, process: call.process };
		if (!call.isRead) this.#read(call);
		try {
			if (is === 'failedAfter') call.write?.();
		} catch {
			// Another process has made the row: nothing is stored.
		}
		this.#end(call, () => call.reject(new Error('database is locked')));
	}

	#kill(name: string, made: boolean): void {
		const process = this.#process(name);
		process.isKilled = true;
		this.fault = { is: 'kill', process: name };
		for (const open of this.#openOf(name)) this.service.answer(open, 'none', made);
		for (const waiting of [...this.#waiting]) if (waiting.process === name) this.#end(waiting, () => {});
	}

	#openOf(process: string): Sent[] {
		const sends = [...this.#waiting].filter((one) => one.kind === 'send' && one.process === process);
		return sends.flatMap((one) => (one.kind === 'send' ? [one.sent] : []));
	}

	#end(waiting: Waiting, tell: () => void): void {
		this.#waiting.delete(waiting);
		for (const other of this.#waiting) if (other.kind === 'pause') other.after.delete(waiting);
		tell();
	}

	#stateOf(waiting: Waiting): unknown {
		const { process, kind, who } = waiting;
		switch (waiting.kind) {
			case 'call':
				return [process, kind, waiting.entries, waiting.isRead && this.#snapshots.get(waiting)];
			case 'pause':
				return [process, kind, who, [...waiting.after].map((call) => this.#stateOf(call))];
			case 'send':
				return [process, kind, who, waiting.sent.payment];
		}
	}

	#process(name: string): Process {
		const known = this.#processes.get(name);
		if (known !== undefined) return known;
		const process = {
			isKilled: false,
			calls: new Set(),
			removed: [],
			again: [],
			claims: new Map(),
		} as unknown as Process;
		const sleep = async () =>
			await new Promise<void>((resolve) => {
				const { name: who = '', claim = '' } = WHO.getStore() ?? {};
				const others = [...this.#waiting].filter((one) => one.kind === 'call' && one.process !== name);
				const after = new Set(this.#options.slowWrites ? [] : others);
				this.#waiting.add({ process: name, who: `${who}${claim}`, kind: 'pause', after, resolve });
			});
		process.record = this.#watched(new this.#code.SharedRecord(sleep, undefined, () => 0), process);
		process.keys = new this.#code.PaymentKeys(process.record);
		this.#processes.set(name, process);
		return process;
	}

	/** Keeps what each execution asks and hears, because that decides how it goes on. */
	#watched(record: SharedRecord, process: Process): SharedRecord {
		const learn = (text: string) => {
			const { name = '', claim = '' } = WHO.getStore() ?? {};
			const history = process.claims.get(`${name}${claim}`);
			(history ?? this.executions.find(({ plan }) => plan.name === name)?.history)?.push(text);
		};
		const watch = async <T>(kind: string, entries: string[], call: () => Promise<T>): Promise<T> => {
			this.#nameTickets(entries);
			const { name = '', claim = '' } = WHO.getStore() ?? {};
			const words = `${name}${claim} ${kind} ${entries.map((entry) => this.#nameOf(entry)).join()}`;
			process.calls.add(words);
			try {
				const result = await call();
				const found = result instanceof Set ? [...result].map((entry) => this.#nameOf(String(entry))) : [];
				// The answer to a write that others share has their entries too.
				const own = found.filter((entry) => words.includes(entry)).sort();
				learn(`${kind} ${entries.length} ${own.join()}`);
				return result;
			} catch (error) {
				learn(`${kind} ${(error as Error).message}`);
				throw error;
			} finally {
				process.calls.delete(words);
			}
		};
		const ask = record.ask.bind(record);
		const remove = record.remove.bind(record);
		const removeForGood = record.removeForGood.bind(record);
		const pause = record.pause.bind(record);
		record.ask = async (items, entries) => await watch('ask', entries, () => ask(items, entries));
		record.remove = async (items, entries) => await watch('remove', entries, () => remove(items, entries));
		record.removeForGood = async (items, forGood, entries) => {
			process.removed.push(this.#nameOf(forGood));
			await removeForGood(items, forGood, entries);
		};
		const writeAgain = record.writeAgain.bind(record);
		record.writeAgain = (entries) => {
			process.again.push(...entries.map((entry) => this.#nameOf(entry)));
			writeAgain(entries);
		};
		record.pause = async () => {
			await pause();
			learn('paused');
		};
		return record;
	}

	start(plan: ExecutionPlan): void {
		const { name, process: processName, account = 'live', pays } = plan;
		const process = this.#process(processName);
		const running: Running = { plan, history: [] };
		this.executions.push(running);
		const { knowsKeys } = this.service;
		for (const payment of pays) this.service.expect(nameOf(plan, payment), payment.decision);
		const items: ProcessedItems = {
			add: async (entries, max) =>
				(await this.#call(processName, 'add', entries, () =>
					startAdd(this.rows, PLACE, entries, max),
				)) as never,
			remove: async (entries) =>
				void (await this.#call(processName, 'remove', entries, () => startRemove(this.rows, PLACE, entries))),
		};
		const sentOfItems: Sent[] = [];
		let claims = 0;
		const ledger = new this.#code.ExecutionLedger({}, 0, name);
		const run: PaymentRun = {
			entry: this.#code.getEndpoint(ENDPOINT),
			ledger,
			items: pays.map((payment) => parametersOf(payment)),
			readAccount: async () =>
				await Promise.resolve({ account, ...(knowsKeys && { paymentKeyHeader: 'Idempotency-Key' }) }),
			send: async (_, { paymentKey }) => {
				// A payment is in the ledger before it is sent.
				const index = pays.findIndex((_, item) => ledger.get(item) !== undefined && !sentOfItems[item]);
				const payment = pays[index];
				if (payment === undefined) throw new Error('Nobody asked for this payment');
				const { decision = 'doNotPay' } = payment;
				const sent = this.service.receive(
					payment.key,
					nameOf(plan, payment),
					knowsKeys && decision !== 'wasPaid' ? 'sendAgain' : decision,
					paymentKey,
				);
				sentOfItems[index] = sent;
				this.broken.push(...this.service.broken.splice(0));
				const answer = await new Promise<Answer>((resolve) =>
					this.#waiting.add({ process: processName, who: name, kind: 'send', sent, resolve }),
				);
				running.history.push(answer);
				return resultOf(answer);
			},
			dryRun: async () => await Promise.reject(new Error('There is no dry run')),
			keys: {
				claim: async (payment, options) => {
					const claim = `/${payment.key}/${(claims += 1)}`;
					const learned: string[] = [];
					process.claims.set(`${name}${claim}`, learned);
					return await WHO.run({ name, claim }, async () => {
						try {
							const result = await process.keys.claim(items, payment, options);
							const what = 'released' in result ? [result.isRepeated, this.#nameOf(result.released[0])] : [];
							running.history.push([claim, result.is, ...what].join(' '));
							return result;
						} catch (error) {
							running.history.push(`${claim} ${(error as Error).message}`);
							throw error;
						} finally {
							process.claims.delete(`${name}${claim}`);
						}
					});
				},
				takePayment: async () => await Promise.reject(new Error('There is no limit of the day')),
				findNotFreed: async (released) => await process.keys.findNotFreed(items, released),
			},
			continueOnFail: true,
			isCancelled: () => false,
		};
		const work = WHO.run({ name }, async () => await this.#code.payItems(run));
		work.then(
			({ results }) => {
				running.said = results.map((result, item) => this.#saidOf(plan, item, result));
				this.#check(running, sentOfItems);
			},
			(error: unknown) => {
				running.error = error;
				this.broken.push(`f: an execution throws ${String(error)}`);
			},
		);
	}

	async #call(
		process: string,
		kind: string,
		entries: string[],
		start: () => () => unknown,
	): Promise<unknown> {
		return await new Promise((resolve, reject) => {
			const words = `${kind} ${entries.map((entry) => this.#nameOf(entry)).join()}`;
			const call: Waiting = {
				process,
				who: '',
				kind: 'call',
				entries: words,
				isRead: false,
				start: () => {
					this.#snapshots.set(call, this.record());
					return start();
				},
				resolve,
				reject,
			};
			this.#waiting.add(call);
		});
	}

	#saidOf(plan: ExecutionPlan, item: number, result: CallResult): Said {
		const { key } = plan.pays[item] as Payment;
		const payment = nameOf(plan, plan.pays[item] as Payment);
		const row = result.ok ? result.items[0] : result.row;
		const { message = '', description = '' } = result.ok ? {} : result.failure;
		return {
			payment,
			key,
			result: row?.result as Said['result'],
			isDifferent: message.includes('was used for'),
			saysNotFree: description.includes(this.#code.isNotFree),
		};
	}

	/** Compares what an execution says at its end with what the service did. */
	#check({ plan, said = [] }: Running, sentOfItems: Array<Sent | undefined>): void {
		for (const [item, { key, payment, result, isDifferent }] of said.entries()) {
			const sent = sentOfItems[item];
			const expected = {
				accepted: 'paid',
				rejected: 'rejected',
				unknownMade: 'unknown',
				unknownNotMade: 'unknown',
			};
			if (sent !== undefined) {
				const isRight = result === expected[sent.answer as Answer];
				const isRepeated =
					sent.decision === 'sendAgain' && sent.answer === 'rejected' && result === 'unknown';
				if (!isRight && !isRepeated)
					this.broken.push(`b: ${result} although the service's answer was ${sent.answer}`);
			} else if (result === 'paid' || result === 'rejected') {
				this.broken.push(`b: ${result} although this run has not sent it`);
			} else if (result === 'alreadyPaid') {
				const isPaid = this.service.wasMade(payment) || this.service.calledPaid.has(payment);
				if (!isPaid) this.broken.push('b: alreadyPaid although it was never made');
			} else if (isDifferent && !this.service.hasOther(key, payment)) {
				this.broken.push('e: refused as different although it is the only payment of its key');
			}
		}
		for (const { payment, result } of said)
			if (result === 'paid' || result === 'alreadyPaid') this.service.report(payment);
		for (const payment of plan.pays)
			if ((payment.decision ?? 'doNotPay') === 'doNotPay') this.service.show(nameOf(plan, payment));
	}

	#nameTickets(entries: string[]): void {
		const { name = '', claim = '' } = WHO.getStore() ?? {};
		for (const entry of entries) {
			if (!entry.startsWith('["payment","ticket"') || this.#names.has(entry)) continue;
			const number = (this.#tickets.get(`${name}${claim}`) ?? 0) + 1;
			this.#tickets.set(`${name}${claim}`, number);
			this.#names.set(entry, `ticket ${name}${claim}.${number}`);
		}
	}

	/** `used a`; the digest of the payment is cut. */
	#nameOf(entry: string): string {
		const known = this.#names.get(entry);
		if (known !== undefined) return known;
		const [, kind, key, payment = ''] = JSON.parse(entry) as string[];
		const name =
			kind === 'ticket' ? 'ticket of another process' : `${kind} ${key} ${payment.slice(0, 6)}`.trim();
		this.#names.set(entry, name);
		return name;
	}
}

function isOver({ said, error }: Running): boolean {
	return said !== undefined || error !== undefined;
}

function parametersOf({ key, amount, decision }: Payment): PaymentRun['items'][number] {
	const parameters: Record<string, unknown> = {
		currency: 'NGN',
		amount,
		account_alias: 'supplier',
		paymentKey: key,
		simplify: true,
		options: decision === undefined ? {} : { ifOutcomeIsUnknown: decision },
	};
	const value = (name: string) => parameters[name];
	return { value, expression: value, evaluate: () => undefined };
}

function resultOf(answer: Answer): CallResult {
	if (answer === 'accepted') return { ok: true, items: [{ payoutId: 'po' }] };
	const outcome = answer === 'rejected' ? 'rejected' : 'unknown';
	return { ok: false, failure: { message: answer, description: 'What the service said.', outcome } };
}
