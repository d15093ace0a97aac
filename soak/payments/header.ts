/**
 * The service honours a header that carries the key, and the credential names it. The service fails in every way that the
 * sandbox can; then the same list is paid again until all is paid. What is sent again must be paid once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { cycle } from '../../bench/shared/lists.ts';
import { BY_KEY, pay, publishPayer, ROUTE } from '../../bench/shared/payments/payer.ts';
import { saveCredential } from '../../bench/shared/workflowParts.ts';
import type { PaymentFigures } from '../shared/figures.ts';
import { Book } from './book.ts';
import { DELAY_MS, FAULTS, NONE, REFUSED, TIMEOUT_MS } from './faults.ts';

const HEADER = 'Idempotency-Key';

/** The service fails in the first runs of a list. Later runs are not disturbed. */
const FAULTY_RUNS = 2;
const MOST_RUNS = 6;

/** What can happen to a payment. A server cannot pretend that nothing listens. */
const KINDS = [NONE, ...Object.keys(FAULTS).filter((kind) => kind !== REFUSED)];
/** Changes nothing. Each request takes the next fault, so a request without a fault needs this one. */
const PASSES = { delayMs: 0 };

/** The sandbox of the stack honours the header afterwards. */
export async function payWithHeader(
	stack: Stack,
	{ lists, batch }: { lists: number; batch: number },
): Promise<PaymentFigures> {
	const { client, control, credential, n8n, sandbox } = stack;
	await control('PUT', '/payment_key_header', { header: HEADER });
	const data = { ...credential.data, signatureStyle: 'custom', paymentKeyHeader: HEADER };
	const payer = await publishPayer(stack, 'Paid by key, with a header', {
		parameters: { ...BY_KEY, requestOptions: { timeout: TIMEOUT_MS } },
		settings: { credentials: await saveCredential(client, CREDENTIAL_TYPE, data, 'With a header') },
	});
	const book = new Book(stack);
	const saysPaid = (word = '') => word === 'paid' || word === 'alreadyPaid';
	let [faults, sentAgain] = [0, 0];
	for (let list = 0; list < lists; list += 1) {
		const payments = book.want(batch);
		for (let run = 1; run <= MOST_RUNS; run += 1) {
			// Each request takes the next fault, so a fault meets other payments in each run.
			for (let index = 0; run <= FAULTY_RUNS && index < batch; index += 1) {
				const fault = FAULTS[cycle(KINDS, faults)]?.control ?? PASSES;
				await control('POST', '/faults', { route: ROUTE, ...fault });
				faults += 1;
			}
			const before = payments.map((payment) => book.words.get(payment));
			const words = book.hear(`run ${run}`, payments, await pay(n8n, payer, payments));
			sandbox.service.faults.clear();
			sentAgain += words.filter((word, index) => word === 'paid' && before[index] === 'unknown').length;
			// A delayed request is under way at the service for a while: it says so, and the outcome stays unknown.
			if (run === FAULTY_RUNS) await sleep(DELAY_MS);
			if (words.every(saysPaid)) break;
		}
	}
	return book.figures(
		`${lists} lists to a service that honours ${HEADER}, again and again`,
		{
			'not paid in the end': book.payments.length - book.countPaid(),
			'do not say that they are paid': [...book.words.values()].filter((word) => !saysPaid(word)).length,
		},
		[`unknown, then sent again and paid: ${sentAgain}`],
	);
}
