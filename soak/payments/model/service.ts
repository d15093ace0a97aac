/** The service of the model: what it was asked and what it made. It alone decides which answers of the node are right. */

/** - `unknownMade`: no answer, and the money was moved; `unknownNotMade`: no answer, and it was not. */
export type Answer = 'accepted' | 'rejected' | 'unknownMade' | 'unknownNotMade';

/** What the execution that sends may do with a key whose outcome is unknown. */
export type Decision = 'doNotPay' | 'wasPaid' | 'wasNotPaid' | 'sendAgain';

export interface Sent {
	key: string;
	/** Key, amount and account. */
	payment: string;
	decision: Decision;
	/** `open`: not answered yet; `none`: the process was killed before the answer. */
	answer: Answer | 'open' | 'none';
	made: boolean;
	/** A person has said since that the payment was not made. */
	isDisowned: boolean;
	/** A run with Do Not Pay has ended since, so a person can decide again. */
	isSeen: boolean;
}

export class Service {
	/** Whether it makes a payment with the same key once. */
	readonly knowsKeys: boolean;
	readonly sent: Sent[];
	/** Payments that a person has called paid. */
	readonly calledPaid: Set<string>;
	/** Payments of which an execution that has ended says that they are paid. */
	readonly reportedPaid: Set<string>;
	/** All payments that an execution was to make. */
	readonly asked: Set<string>;
	/** Whether a person's decision sent a payment that was called paid, or one under the key of another payment. */
	sentByDecision = false;
	readonly broken: string[] = [];

	constructor(knowsKeys = false, { sent, calledPaid, reportedPaid, asked }: Partial<Service> = {}) {
		this.asked = new Set(asked);
		this.knowsKeys = knowsKeys;
		this.sent = (sent ?? []).map((request) => ({ ...request }));
		this.calledPaid = new Set(calledPaid);
		this.reportedPaid = new Set(reportedPaid);
	}

	copy(): Service {
		return new Service(this.knowsKeys, this);
	}

	/** An execution begins, for which a person may have decided. */
	expect(payment: string, decision: Decision | undefined): void {
		this.asked.add(payment);
		if (decision === 'wasPaid') this.calledPaid.add(payment);
		if (decision !== 'wasNotPaid') return;
		for (const request of this.sent) if (request.payment === payment) request.isDisowned = true;
	}

	/** A run with Do Not Pay has ended: a person can see the payment. */
	show(payment: string): void {
		for (const request of this.sent) if (request.payment === payment) request.isSeen = true;
	}

	/** An execution that has ended says that the payment is paid. What persons say of it may contradict each other. */
	report(payment: string): void {
		const isMade = this.sent.some((one) => one.payment === payment && one.made && !one.isDisowned);
		if (isMade) this.reportedPaid.add(payment);
	}

	/** Whether another payment was to be made under the key. */
	hasOther(key: string, payment: string): boolean {
		return [...this.asked].some((other) => other !== payment && other.startsWith(`${key} `));
	}

	/** A request arrives. `sentKey`: the key that the request carries. */
	receive(key: string, payment: string, decision: Decision, sentKey: string | undefined): Sent {
		const earlier = this.sent.filter((request) => request.key === key);
		const isDecided = decision === 'wasNotPaid' || decision === 'sendAgain';
		const broken = (what: string) => this.broken.push(what);
		const mayBeDecided = (what: string) => (isDecided ? (this.sentByDecision = true) : broken(what));
		if (this.reportedPaid.has(payment) && !this.knowsKeys)
			mayBeDecided('a: sent although a run has said that it is paid');
		if (!isDecided && earlier.some(({ made, isDisowned }) => made && !isDisowned))
			broken('a: sent although it was made');
		if (!this.knowsKeys && earlier.some(({ answer }) => answer === 'open'))
			broken('a: sent while it is under way');
		if (earlier.some((other) => other.payment !== payment && other.answer !== 'rejected'))
			mayBeDecided('e: another payment was sent under a used key');
		const isUsed = (other: Sent) =>
			other.payment === payment &&
			other.decision === 'wasNotPaid' &&
			!other.isSeen &&
			other.answer !== 'rejected';
		if (decision === 'wasNotPaid' && earlier.some(isUsed))
			broken('h: a decision that stayed in place sent again');
		if (this.knowsKeys !== (sentKey !== undefined)) broken('a: sent without its key');
		const request: Sent = {
			key,
			payment,
			decision,
			answer: 'open',
			made: false,
			isDisowned: false,
			isSeen: false,
		};
		this.sent.push(request);
		return request;
	}

	/** `made`: for a request whose answer nobody hears. */
	answer(request: Sent, answer: Answer | 'none', made = answer === 'accepted' || answer === 'unknownMade') {
		request.answer = answer;
		request.made = made && !(this.knowsKeys && this.wasMade(request.payment));
	}

	wasMade(payment: string): boolean {
		return this.sent.some((request) => request.payment === payment && request.made);
	}

	/** Whether an answer to a request for the payment is missing. */
	isUnknown(payment: string): boolean {
		return this.sent.some(
			(request) =>
				request.payment === payment && request.answer !== 'accepted' && request.answer !== 'rejected',
		);
	}

	/** Whether the service itself has left the outcome open, or a kill has cut its answer off. */
	isAnsweredUnknown(payment: string): boolean {
		return this.sent.some((request) => request.payment === payment && /^unknown|^none/.test(request.answer));
	}

	state(): string {
		// Requests with different keys have nothing to do with each other, whatever their order.
		const sent = this.sent
			.toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
			.map((one) => [one.payment, one.decision, one.answer, one.made, one.isDisowned, one.isSeen].join(' '));
		const sets = [this.calledPaid, this.reportedPaid, this.asked].map((set) => [...set].sort());
		return [sent, ...sets].join('|');
	}
}
