/** The cost of a delivery in the trigger. */
import { createHmac } from 'node:crypto';
import { SAMPLES } from '../../sandbox/samples.ts';
import type { Report } from '../results.ts';
import { triggerCode } from '../shared/publishedCode.ts';
import type { VerificationSettings } from '../shared/publishedCode.ts';
import { costOf, show } from './costMeter.ts';
import type { Effort } from './costMeter.ts';

/** Microseconds. */
const TARGET = 30;
/** The largest acceptable ratio to the cheapest figure of a cost that does not depend on how much is remembered. */
const FLAT = 1.25;
const BODY_BYTES = 1024;
const TRIGGER = 'workflow/node';
const SECRET = 'only-for-this-run';

const VERIFICATION: VerificationSettings = {
	webhookVerification: 'hmac',
	webhookHeader: 'x-svc-signature',
	webhookSecret: SECRET,
	webhookSecretEncoding: 'utf8',
	webhookAlgorithm: 'sha256',
	webhookSignatureEncoding: 'hex',
	webhookPayload: '{body}',
	webhookSignatureFormat: '{signature}',
	webhookTolerance: 300,
};

/** Adds the cost of a delivery of each kind of event. */
export async function measureDeliveries(report: Report, effort: Effort): Promise<void> {
	report.group(`A delivery of ${BODY_BYTES} bytes, by kind`);
	const receive = receiver();
	for (const [kind, sample] of Object.entries(SAMPLES)) {
		const cost = await costOf(effort, () => signedDelivery(sample), receive);
		const met = cost.microseconds <= TARGET;
		report.row({ what: kind, figure: show(cost), target: `<= ${TARGET} µs`, met });
	}
}

/** Adds the cost of a delivery after each of these numbers of other deliveries. */
export async function measureRemembered(report: Report, effort: Effort, counts: number[]): Promise<void> {
	report.group('A delivery, by the number of earlier ones');
	const receive = receiver();
	const memory = triggerCode().memoryOf(TRIGGER);
	let done = 0;
	let least = Infinity;
	for (const count of counts) {
		for (; done < count; done += 1) {
			const complete = await memory.claim({ key: `remembered${done}` });
			complete?.(true);
		}
		const cost = await costOf(effort, () => signedDelivery(SAMPLES.admin_funding), receive);
		least = Math.min(least, cost.microseconds);
		const ratio = cost.microseconds / least;
		report.row({
			what: `after ${count.toLocaleString('en')}`,
			figure: `${show(cost)}, ${ratio.toFixed(2)} of the least above`,
			target: `flat: <= ${FLAT}`,
			met: ratio <= FLAT,
		});
	}
}

/** Does what the trigger does with a delivery, without n8n's record. */
function receiver() {
	const { compileVerifier, parseDelivery, isWanted, toItem, identityOf, memoryOf } = triggerCode();
	const verify = compileVerifier(VERIFICATION);
	const wanted = {
		events: Object.keys(SAMPLES),
		unknownEvents: false,
		statuses: [],
		currencies: [],
		minimumAmount: '',
	};
	return async (delivery: ReturnType<typeof signedDelivery>) => {
		const now = new Date();
		if (!verify(delivery, now.getTime()).ok) throw new Error('The delivery is not verified');
		const received = parseDelivery(delivery.body);
		if (!received.ok || !isWanted(received.event, wanted)) throw new Error('The delivery is not read');
		const item = toItem(received.event, now, { includeRaw: true });
		const complete = await memoryOf(TRIGGER).claim(identityOf(received.event));
		if (complete === undefined) throw new Error('The delivery is taken for a duplicate');
		complete(true);
		return item;
	};
}

let sent = 0;

/** A delivery of BODY_BYTES with an id of its own. */
function signedDelivery(sample: object) {
	const delivery = { ...sample, id: `e${(sent += 1)}`, note: '' };
	delivery.note = 'x'.repeat(BODY_BYTES - JSON.stringify(delivery).length);
	const body = Buffer.from(JSON.stringify(delivery));
	const signature = createHmac('sha256', SECRET).update(body).digest('hex');
	return { body, headers: { 'x-svc-signature': signature } };
}
