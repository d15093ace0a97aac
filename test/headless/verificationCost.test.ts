/** A forged delivery costs the trigger little. Counted are the calls of Node.js that take the time. */
import nodeCrypto from 'node:crypto';
import { request } from 'undici';
import { headless } from './harness.ts';
import type { Listener } from './harness.ts';

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

const hmac = (text: string) => nodeCrypto.createHmac('sha256', SECRET).update(text).digest('hex');
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
