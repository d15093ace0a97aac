/** A request of a payment with a key begins and ends in time, because a person may decide about it soon after. */
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { getOperation } from '../../api/catalog.ts';
import { LateError } from '../../api/deadline.ts';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { clientOf } from '../../nodes/shared/http/client.ts';
import { thrown } from '../../nodes/shared/http/transportError.ts';

const request = { body: { currency: 'NGN' } } as never;

/** Sends with a claim that began so many seconds ago. Returns n8n's options of the request; undefined if there was none. */
async function sendAfter(seconds: number, timeout?: number) {
	const asked: IHttpRequestOptions[] = [];
	const httpRequestWithAuthentication = async (_: string, options: IHttpRequestOptions) => {
		asked.push(options);
		return await Promise.resolve({ statusCode: 200, body: '{"payout_id":"po_1"}', headers: {} });
	};
	const context = {
		getCredentials: async () => await Promise.resolve({ baseUrl: 'https://wallet.example' }),
		getNode: () => ({}),
		helpers: { httpRequestWithAuthentication },
	};
	const at = Date.now() - seconds * 1000;
	const result = await clientOf(context as unknown as IExecuteFunctions).send(
		getOperation('fiatWallet.createPayout'),
		request,
		{
			simplify: true,
			within: { sendBy: at + 30_000, answerBy: at + 300_000 },
			connection: timeout === undefined ? {} : { timeout },
		} as never,
	);
	return { result, options: asked[0] };
}

test('a request gets what is left of five minutes, and no more than the user allows', async () => {
	const within = (milliseconds: number) => [milliseconds - 1000, milliseconds + 1000] as const;
	for (const [seconds, timeout, [least, most]] of [
		[0, undefined, within(300_000)],
		[20, undefined, within(280_000)],
		[20, 5000, within(5000)],
	] as const) {
		const given = (await sendAfter(seconds, timeout)).options?.timeout;
		expect(given).toBeGreaterThan(least);
		expect(given).toBeLessThan(most);
	}
});

test('a request that comes half a minute after its claim is not sent', async () => {
	const { result, options } = await sendAfter(31);
	expect(options).toBeUndefined();
	expect(result).toMatchObject({ ok: false, failure: { outcome: 'notSent' } });
});

test('nor is one that n8n signs half a minute after its claim', async () => {
	const { options } = await sendAfter(29);
	const { authenticate } = new WalletServiceApi();
	const credential = { baseUrl: 'https://wallet.example', apiKey: 'k', signatureSecret: 's' };
	const sign = async () =>
		await (authenticate as (...given: object[]) => Promise<object>)(credential, options!);
	await sign();
	jest.useFakeTimers({ now: Date.now() + 2000 });
	await expect(sign()).rejects.toMatchObject({ code: 'LATE' });
	jest.useRealTimers();
	expect(thrown(getOperation('fiatWallet.createPayout'), new LateError())).toMatchObject({
		...{ outcome: 'notSent', message: 'Not sent because n8n was busy for too long before the request' },
	});
});
