/**
 * Payment keys: the sandbox makes one payment for each key in the header that it honours. Invented, because the document
 * shows no such header. It follows the IETF draft "The Idempotency-Key HTTP Header Field".
 */
import { SettingError } from '../api/settingError.ts';
import { paymentKeyHeaderOf } from '../api/signature/signRequest.ts';
import { Refusal } from './refusal.ts';
import type { Store, Table } from './store.ts';

/** The request that a key stands for. */
interface Payment {
	/** Account and key. */
	id: string;
	route: string;
	/** The exact text. */
	body: string;
}

export class PaymentKeys {
	readonly #store: Store;
	readonly #setting: Table<string>;
	readonly #made: Table<Payment & { answer: string }>;
	/** The requests that are not answered yet. */
	readonly #underWay = new Map<Request, Payment>();

	constructor(store: Store) {
		this.#store = store;
		this.#setting = store.table('payment_key_header');
		this.#made = store.table('payment_keys');
	}

	/** The header that carries the key; '' if none is honoured. */
	get header(): string {
		return this.#setting.get('header') ?? '';
	}

	/** '' switches it off. Throws a Refusal (400) for a header that the credential refuses too. */
	set header(header: string) {
		this.#setting.put('header', checked(header));
	}

	/**
	 * The answer of `pay`, or of the request that was made before with the same key. Only a payment that was made is
	 * remembered: a request that `pay` refuses has changed nothing. Throws a Refusal (409, 422).
	 */
	once(request: Request, account: string, sent: Omit<Payment, 'id'>, pay: () => string): string {
		const { header } = this;
		const key = header && request.headers.get(header);
		if (!key) return pay();
		// A header holds no line feed, so another account cannot give the same id.
		const payment: Payment = { id: `${account}\n${key}`, ...sent };
		const made = this.#made.get(payment.id);
		const underWay = [...this.#underWay.values()].find(({ id }) => id === payment.id);
		const earlier = underWay ?? made;
		if (earlier !== undefined && (earlier.route !== payment.route || earlier.body !== payment.body)) {
			throw new Refusal(422, 'payment_key_reused', `This ${header} stands for another request`, header);
		}
		if (underWay !== undefined) {
			const message = `The first request with this ${header} is still under way`;
			throw new Refusal(409, 'payment_key_under_way', message, header);
		}
		if (made !== undefined) return made.answer;
		this.#underWay.set(request, payment);
		const answer = pay();
		this.#made.put(payment.id, { ...payment, answer });
		return answer;
	}

	/** Says that a request is no longer under way. */
	answered(request: Request): void {
		this.#underWay.delete(request);
	}

	/** Forgets the keys. The header stays. */
	clear(): void {
		this.#store.clear(['payment_keys']);
	}
}

function checked(header: string): string {
	try {
		return paymentKeyHeaderOf({ paymentKeyHeader: header }) ?? '';
	} catch (error) {
		if (!(error instanceof SettingError)) throw error;
		throw new Refusal(400, 'invalid_request', error.message, 'header');
	}
}
