/** How long the trigger remembers its credential, and when it reads it again. The clock is an argument. */
import { createHmac } from 'node:crypto';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import type { Delivery } from '../../api/signature/verifier.ts';
import { verifierMemoryOf } from '../../nodes/WalletServiceTrigger/verifierMemory.ts';

const [OLD, NEW] = ['the-old-secret', 'the-next-secret'];

/** A delivery that is signed with this secret. */
function signedWith(secret: string): Delivery {
	const body = Buffer.from('{}');
	const signature = createHmac('sha256', secret).update(body).digest('hex');
	return { body, headers: { 'x-svc-signature': signature } };
}

let triggers = 0;
const newTrigger = () => `workflow/node ${(triggers += 1)}`;

/** A trigger with its credential, of which `readings` counts how often n8n was asked for it. */
function trigger(name = newTrigger()) {
	const credential = { secret: OLD, isAway: false, readings: 0, delay: Promise.resolve() };
	const read = async (): Promise<VerificationSettings> => {
		credential.readings += 1;
		const { secret, isAway, delay } = credential;
		await delay;
		if (isAway) throw new Error('The database is away');
		return { webhookStyle: 'default', webhookSecret: secret };
	};
	/** What becomes of a delivery at this second. */
	const deliver = async (second: number, secret: string): Promise<string> => {
		try {
			const clock = () => second * 1000;
			const verify = await verifierMemoryOf(name).verify(signedWith(secret), { at: 0, read, clock });
			return verify.ok ? 'accepted' : 'refused';
		} catch (error) {
			return (error as Error).message;
		}
	};
	return { credential, deliver };
}

/** Waits until n8n was asked for the credential so often. */
async function asked(credential: { readings: number }, times: number): Promise<void> {
	while (credential.readings < times) await Promise.resolve();
}

const AWAY = 'The database is away';
const EMPTY = 'Webhook Secret is empty';

describe('the age of a reading', () => {
	test.each([
		['is used for five seconds', 4.999, 1],
		['is read again after five seconds', 5, 2],
	])('a credential %s', async (_, second, readings) => {
		const { credential, deliver } = trigger();
		for (const at of [0, 0.1, second]) expect(await deliver(at, OLD)).toBe('accepted');
		expect(credential.readings).toBe(readings);
	});

	test('deliveries do not make it longer: a removed secret ends five seconds after the reading', async () => {
		const { credential, deliver } = trigger();
		expect(await deliver(0, OLD)).toBe('accepted');
		credential.secret = NEW;
		for (const at of [1, 2, 3, 4, 4.999]) expect(await deliver(at, OLD)).toBe('accepted');
		for (const at of [5, 5.1, 7]) expect(await deliver(at, OLD)).toBe('refused');
	});

	test('it counts from the beginning of a slow reading, which shows the credential of that time', async () => {
		const { credential, deliver } = trigger();
		const { promise, resolve } = Promise.withResolvers<void>();
		credential.delay = promise;
		const slow = deliver(0, OLD);
		credential.secret = NEW;
		credential.delay = Promise.resolve();
		const late = deliver(5.1, OLD);
		resolve();
		expect([await slow, await late]).toEqual(['accepted', 'refused']);
	});
});

describe('deliveries that arrive together', () => {
	test.each([
		['genuine', 'once', OLD, 'accepted', 1],
		// The first reading began before the others came.
		['forged', 'twice', 'forged', 'refused', 2],
	])('ten %s ones read it %s', async (_, __, secret, outcome, readings) => {
		const { credential, deliver } = trigger();
		const ten = Array.from({ length: 10 }, (_, index) => deliver(index / 1000, secret));
		expect(await Promise.all(ten)).toEqual(Array(10).fill(outcome));
		expect(credential.readings).toBe(readings);
	});

	test('each trigger reads its own credential', async () => {
		const [one, other] = [trigger(), trigger()];
		other.credential.secret = NEW;
		expect(await one.deliver(0, OLD)).toBe('accepted');
		expect(await other.deliver(0, OLD)).toBe('refused');
	});

	test('one that waits for a reading that began before the change is judged by another one', async () => {
		const { credential, deliver } = trigger();
		const { promise, resolve } = Promise.withResolvers<void>();
		credential.delay = promise;
		const earlier = deliver(0, OLD);
		credential.secret = NEW;
		const later = [deliver(0.1, NEW), deliver(0.1, 'forged')];
		resolve();
		expect(await Promise.all([earlier, ...later])).toEqual(['accepted', 'accepted', 'refused']);
		expect(credential.readings).toBe(2);
	});
});

describe('before a refusal', () => {
	test('it is read again: a new secret works at once, and the old one is then refused', async () => {
		const { credential, deliver } = trigger();
		expect(await deliver(0, OLD)).toBe('accepted');
		credential.secret = NEW;
		expect(await deliver(0.1, NEW)).toBe('accepted');
		expect(await deliver(0.2, OLD)).toBe('refused');
	});

	test('a corrected credential works at once', async () => {
		const { credential, deliver } = trigger();
		credential.secret = '';
		expect(await deliver(0, OLD)).toBe(EMPTY);
		credential.secret = OLD;
		expect(await deliver(0.1, OLD)).toBe('accepted');
	});

	test.each([
		['forged deliveries', OLD, 'refused'],
		['deliveries to a credential without a secret', '', EMPTY],
	])('%s read it once a second, however many there are', async (_, secret, outcome) => {
		const { credential, deliver } = trigger();
		credential.secret = secret;
		await deliver(0, 'forged');
		for (let at = 0; at < 10; at += 0.01) expect(await deliver(at, 'forged')).toBe(outcome);
		expect(credential.readings).toBeLessThanOrEqual(11);
	});

	test('while they arrive, a new secret works within a second', async () => {
		const { credential, deliver } = trigger();
		for (const at of [0, 0.1]) expect(await deliver(at, 'forged')).toBe('refused');
		credential.secret = NEW;
		expect(await deliver(1.1, NEW)).toBe('accepted');
	});

	test('a delivery whose own reading refuses it is not read for again', async () => {
		const { credential, deliver } = trigger();
		expect(await deliver(0, 'forged')).toBe('refused');
		expect(credential.readings).toBe(1);
	});
});

describe('while n8n cannot read the credential', () => {
	test('the last reading is used until it is five seconds old, and no longer', async () => {
		const { credential, deliver } = trigger();
		expect(await deliver(0, OLD)).toBe('accepted');
		credential.isAway = true;
		for (const at of [1, 3, 4.9]) {
			expect(await deliver(at, 'forged')).toBe('refused');
			expect(await deliver(at, OLD)).toBe('accepted');
		}
		for (const at of [5, 5.5, 7, 60]) expect(await deliver(at, OLD)).toBe(AWAY);
	});

	test('one hiccup refuses the delivery that met it, and the next one is accepted at once', async () => {
		const { credential, deliver } = trigger();
		credential.isAway = true;
		expect(await deliver(0, OLD)).toBe(AWAY);
		credential.isAway = false;
		expect(await deliver(0.01, OLD)).toBe('accepted');
	});

	test('a delivery that waits for a reading that fails is accepted by the next one', async () => {
		const { credential, deliver } = trigger();
		credential.isAway = true;
		const earlier = deliver(0, OLD);
		credential.isAway = false;
		expect(await Promise.all([earlier, deliver(0.1, OLD)])).toEqual([AWAY, 'accepted']);
	});

	test('a reading that fails late does not let an older one judge beyond its five seconds', async () => {
		const { credential, deliver } = trigger();
		expect(await deliver(0, OLD)).toBe('accepted');
		const { promise, resolve } = Promise.withResolvers<void>();
		Object.assign(credential, { isAway: true, delay: promise });
		const forged = deliver(4.9, 'forged');
		await asked(credential, 2);
		const late = deliver(5.5, OLD);
		Object.assign(credential, { secret: NEW, isAway: false, delay: Promise.resolve() });
		resolve();
		expect([await forged, await late]).toEqual(['refused', 'refused']);
	});

	test('n8n is asked once a second, and answers again within a second', async () => {
		const { credential, deliver } = trigger();
		credential.isAway = true;
		await deliver(0, OLD);
		for (let at = 0; at < 4; at += 0.01) expect(await deliver(at, OLD)).toBe(AWAY);
		expect(credential.readings).toBeLessThanOrEqual(5);
		credential.isAway = false;
		expect(await deliver(5, OLD)).toBe('accepted');
	});

	test('a credential whose settings verify nothing is no hiccup: what was read before ends', async () => {
		const { credential, deliver } = trigger();
		expect(await deliver(0, OLD)).toBe('accepted');
		credential.secret = '';
		expect(await deliver(1, 'forged')).toBe(EMPTY);
		expect(await deliver(1.5, OLD)).toBe(EMPTY);
	});
});
