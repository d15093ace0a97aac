/** A forged delivery costs the trigger little. Counted are the calls of Node.js that take the time. */
import nodeCrypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { headless } from './harness.ts';
import type { Listener } from './harness.ts';
import { MemoryCredentials } from './memoryCredentials.ts';

const SECRET = 'fake-webhook-secret';
const n8n = headless();
let listener: Listener | undefined;

afterEach(async () => {
	jest.restoreAllMocks();
	await listener?.close();
});

async function listen(credentials: Record<string, string>) {
	const parameters = { events: ['admin_funding'], verification: 'credential' };
	listener = await n8n.listen({ type: 'walletServiceTrigger', parameters, credentials });
	const { url } = listener;
	return async (body: string, signature: string) => {
		const headers = { 'content-type': 'application/json', 'x-svc-signature': signature };
		const answer = await request(url, { method: 'POST', body, headers });
		await answer.body.dump();
		return answer.statusCode;
	};
}

const hmac = (text: string, secret = SECRET) =>
	nodeCrypto.createHmac('sha256', secret).update(text).digest('hex');
let number = 0;
const event = (note = '') => JSON.stringify({ event: 'admin_funding', id: `c${(number += 1)}`, note });

test('a body above 1 MiB is refused before its signature is computed, forged or not', async () => {
	const post = await listen({ webhookSecret: SECRET });
	const large = event('x'.repeat(2 ** 20));
	const signature = hmac(large);
	const computed = jest.spyOn(nodeCrypto, 'createHmac');
	expect(await post(large, '0'.repeat(64))).toBe(413);
	expect(await post(large, signature)).toBe(413);
	expect(computed).not.toHaveBeenCalled();
});

test('a forged delivery after a genuine one is verified once, not with the same settings again', async () => {
	const post = await listen({ webhookSecret: SECRET });
	const body = event();
	expect(await post(body, hmac(body))).toBe(200);
	const computed = jest.spyOn(nodeCrypto, 'createHmac');
	expect(await post(event(), '0'.repeat(64))).toBe(401);
	expect(computed).toHaveBeenCalledTimes(1);
});

test('with a public key, two signatures of a forged delivery are verified, and the key is not read again', async () => {
	const { publicKey, privateKey } = nodeCrypto.generateKeyPairSync('ed25519');
	const sign = (text: string) => nodeCrypto.sign(null, Buffer.from(text), privateKey).toString('base64');
	const post = await listen({
		webhookStyle: 'custom',
		webhookVerification: 'publicKey',
		webhookPublicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
		webhookPublicKeyAlgorithm: 'ed25519',
		webhookSignatureEncoding: 'base64',
	});
	const body = event();
	expect(await post(body, sign(body))).toBe(200);
	const [verified, read] = [jest.spyOn(nodeCrypto, 'verify'), jest.spyOn(nodeCrypto, 'createPublicKey')];
	expect(await post(event(), ['1', '2', '3', '4'].map(sign).join())).toBe(401);
	expect(verified).toHaveBeenCalledTimes(2);
	expect(read).not.toHaveBeenCalled();
});

describe('while n8n takes 200 ms to decrypt the credential', () => {
	/** Returns the spy that counts the times. */
	function slowDecryption() {
		const decrypt = Reflect.get(MemoryCredentials.prototype, 'getDecrypted');
		return jest.spyOn(MemoryCredentials.prototype, 'getDecrypted').mockImplementation(async function (
			this: MemoryCredentials,
		) {
			const decrypted = await decrypt.call(this);
			await sleep(200);
			return decrypted;
		});
	}

	test('ten deliveries that arrive together decrypt it once', async () => {
		const post = await listen({ webhookSecret: SECRET });
		const decrypted = slowDecryption();
		const bodies = Array.from({ length: 10 }, () => event());
		const answers = await Promise.all(bodies.map((body) => post(body, hmac(body))));
		expect(answers).toEqual(bodies.map(() => 200));
		expect(decrypted).toHaveBeenCalledTimes(1);
	});

	test('ten forged deliveries that arrive together decrypt it twice at most', async () => {
		const post = await listen({ webhookSecret: SECRET });
		const decrypted = slowDecryption();
		const answers = await Promise.all(Array.from({ length: 10 }, () => post(event(), '0'.repeat(64))));
		expect(answers).toEqual(Array(10).fill(401));
		// The first reading began before the others came in.
		expect(decrypted.mock.calls.length).toBeLessThanOrEqual(2);
	});

	test('a delivery that is signed with a new secret is accepted, and one with a wrong secret is refused', async () => {
		const credentials = { webhookSecret: SECRET };
		const post = await listen(credentials);
		slowDecryption();
		const [first, second, third] = [event(), event(), event()];
		const earlier = post(first, hmac(first));
		await sleep(100);
		credentials.webhookSecret = 'the-next-secret';
		const later = [post(second, hmac(second, 'the-next-secret')), post(third, hmac(third, 'wrong'))];
		expect(await Promise.all([earlier, ...later])).toEqual([200, 200, 401]);
	});

	test('a delivery that waits for a reading of the credential is accepted although that reading fails', async () => {
		const post = await listen({ webhookSecret: SECRET });
		slowDecryption().mockImplementationOnce(async () => {
			await sleep(200);
			throw new Error('not for the sender');
		});
		const [first, second] = [event(), event()];
		const earlier = post(first, hmac(first));
		await sleep(100);
		expect(await Promise.all([earlier, post(second, hmac(second))])).toEqual([503, 200]);
	});

	test('all deliveries are answered 503 if the credential cannot be read', async () => {
		const post = await listen({ webhookSecret: SECRET });
		jest.spyOn(MemoryCredentials.prototype, 'getDecrypted').mockImplementation(async () => {
			await sleep(200);
			throw new Error('not for the sender');
		});
		const bodies = [event(), event()];
		expect(await Promise.all(bodies.map((body) => post(body, hmac(body))))).toEqual([503, 503]);
	});
});
