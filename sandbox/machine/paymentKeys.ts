/**
 * Payment keys: the sandbox makes one payment for each key in the header that it honours. Invented, because the document
 * shows no such header. It follows the IETF draft "The Idempotency-Key HTTP Header Field".
 */
import { SettingError } from '../../api/settingError.ts';
import { paymentKeyHeaderOf } from '../../api/signature/signRequest.ts';
import { Refusal } from '../ledger/refusal.ts';
import type { Table } from '../ledger/table.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

/** The request that a key stands for. */
interface Payment {
	/** Account and key. */
	id: string;
	route: string;
	/** The exact text. */
	body: string;
}

export function createPaymentKeys(store: Store, settings: Settings) {
	const payments: Table<Payment & { answer: string }> = store.table('payment_keys');
	/** The requests that are not answered yet. */
	const allUnderWay = new Map<Request, Payment>();
	return {
		/**
		 * The answer of `pay`, or of the request that was made before with the same key. Only a payment that was made is
		 * remembered: a request that `pay` refuses has changed nothing. Throws a Refusal.
		 */
		once: (request: Request, route: string, body: string, pay: () => string): string => {
			const { key: account, paymentKeyHeader: header } = settings.current;
			const key = header && request.headers.get(header);
			if (!key) return pay();
			// A header holds no line feed, so another account cannot give the same id.
			const payment: Payment = { id: `${account}\n${key}`, route, body };
			const made = payments.get(payment.id);
			const underWay = [...allUnderWay.values()].find(({ id }) => id === payment.id);
			const earlier = underWay ?? made;
			if (earlier !== undefined && (earlier.route !== route || earlier.body !== body)) {
				throw new Refusal('payment_key_reused', `This ${header} stands for another request`, header);
			}
			if (underWay !== undefined) {
				const message = `The first request with this ${header} is still under way`;
				throw new Refusal('payment_key_under_way', message, header);
			}
			if (made !== undefined) return made.answer;
			allUnderWay.set(request, payment);
			const answer = pay();
			payments.put(payment.id, { ...payment, answer });
			return answer;
		},

		/** Says that a request is no longer under way. */
		answered: (request: Request): void => void allUnderWay.delete(request),
	};
}

/** '' stays ''. Throws a Refusal for one that the credential refuses too. */
export function checkHeader(header: string): string {
	try {
		return paymentKeyHeaderOf({ paymentKeyHeader: header }) ?? '';
	} catch (error) {
		if (!(error instanceof SettingError)) throw error;
		throw new Refusal('invalid_request', error.message, 'header');
	}
}
