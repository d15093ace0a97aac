import { control, type AnyJson } from './client.ts';
import { withSandboxAndReceiver } from './withSandbox.ts';

const { sandbox, receiver } = withSandboxAndReceiver({ retryDelayMs: 5, settleAfterMs: 5 });

/** The bodies received once no delivery is pending. */
async function bodies(): Promise<AnyJson[]> {
	await sandbox.idle();
	return receiver.received.map(({ body }) => JSON.parse(body));
}

// openapi.test.ts has each event from its cause and no other, trigger.test.ts the signature. Here are values that a schema does not tell.
test.each<[object, object]>([
	[
		{ asset: 'NGN', amount: 75000, direction: 'Credit' },
		{ Asset: 'NGN', Amount: '75000', fee: '0', 'credit/debit': 'Credit', 'fiat/crypto': 'Fiat' },
	],
	[
		{ asset: 'btc', amount: '0.5', direction: 'debit' },
		{ Asset: 'BTC', Amount: '0.5', fee: '0', 'credit/debit': 'Debit', 'fiat/crypto': 'Crypto' },
	],
])('the funding %j sends its event', async (body, event) => {
	await control(sandbox, 'POST admin_funding', body);
	expect(await bodies()).toMatchObject([event]);
});

test('POST events sends replaced and unknown fields unchanged, and unknown kinds', async () => {
	await control(sandbox, 'POST events', { event: 'admin_funding', Amount: '7', surprise: null });
	await sandbox.idle();
	await control(sandbox, 'POST events', { event: 'moon_landing', id: 'x' });
	const [known, unknown] = await bodies();
	expect(known).toMatchObject({ event: 'admin_funding', Asset: 'NGN', Amount: '7', surprise: null });
	expect(unknown).toEqual({ event: 'moon_landing', id: 'x' });
});

describe('a delivery', () => {
	const send = async () => {
		await control(sandbox, 'POST events', { event: 'admin_funding' });
		await sandbox.idle();
	};
	const deliveries = async () => (await control(sandbox, 'GET deliveries')).json.results;

	test.each([
		['failed', [500, 500, 500, 500, 200], [500, 500, 500, 500]],
		// 0: the receiver closes the connection.
		['delivered', [0, 302, 404, 204], [undefined, 302, 404, 204]],
	])('a delivery is %s after the answers %j', async (status, answers, statuses) => {
		receiver.answers.push(...answers);
		await send();
		const [delivery] = await deliveries();
		expect(delivery.attempts.map((attempt: AnyJson) => attempt.status)).toEqual(statuses);
		expect(delivery.status).toBe(status);
		// The same bytes each time.
		expect(receiver.received.map(({ body }) => body)).toEqual(statuses.map(() => delivery.body));
		expect(receiver.received[0]).toMatchObject({ headers: { 'content-type': 'application/json' } });
	});

	test('a delivery without a URL waits, and "redeliver" sends the same bytes each time', async () => {
		await control(sandbox, 'PUT webhook', { url: null });
		await send();
		const [{ id, status, attempts }] = await deliveries();
		expect([status, attempts]).toEqual(['unsent', []]);
		expect((await control(sandbox, `POST deliveries/${id}/redeliver`)).status).toBe(409);
		await control(sandbox, 'PUT webhook', { url: receiver.url });
		for (let i = 0; i < 2; i++) {
			const { json } = await control(sandbox, `POST deliveries/${id}/redeliver`);
			expect(json).toMatchObject({ id, status: 'pending' });
			await sandbox.idle();
		}
		const [first, second] = receiver.received;
		expect(second!.body).toBe(first!.body);
		expect((await deliveries())[0].attempts).toHaveLength(2);
	});
});
