/** A request of a payment with a key begins and ends in time, because a person may decide about it soon after. */
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { getOperation } from '../../api/catalog.ts';
import { ClockError, LateError, Stopwatch } from '../../api/deadline.ts';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { clientOf } from '../../nodes/shared/http/client.ts';
import { transportError } from '../../nodes/shared/http/transportError.ts';

const request = { body: { currency: 'NGN' } } as never;

/** A process whose two clocks a test sets, in seconds. */
function clocksOf(times = { machine: 0, process: 0 }) {
	return { times, machine: () => times.machine * 1000, process: () => times.process * 1000 };
}

/**
 * Sends with a claim that began so many seconds ago by the clocks of the machine and of the process. Returns n8n's options of the
 * request; undefined if there was none.
 */
async function sendAfter(machine: number, process = machine, timeout?: number) {
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
	const clocks = clocksOf();
	const since = new Stopwatch(clocks);
	Object.assign(clocks.times, { machine, process });
	const result = await clientOf(context as unknown as IExecuteFunctions).send(
		getOperation('fiatWallet.createPayout'),
		request,
		{
			simplify: true,
			within: { since, beginWithin: 30_000, endWithin: 300_000 },
			connection: timeout === undefined ? {} : { timeout },
		} as never,
	);
	return { result, options: asked[0], clocks };
}

test('a request gets what is left of five minutes, and no more than the user allows', async () => {
	for (const [seconds, timeout, left] of [
		[0, undefined, 300_000],
		[20, undefined, 280_000],
		[20, 5000, 5000],
	] as const)
		expect((await sendAfter(seconds, seconds, timeout)).options?.timeout).toBe(left);
});

test('what has run further of the clock of the machine and that of the process counts', async () => {
	for (const [machine, process] of [
		[20, 1],
		[1, 20],
	] as const)
		expect((await sendAfter(machine, process)).options?.timeout).toBe(280_000);
});

test('a request that comes half a minute after its claim is not sent', async () => {
	const { result, options } = await sendAfter(31);
	expect(options).toBeUndefined();
	expect(result).toMatchObject({
		failure: {
			outcome: 'notSent',
			message: 'Not sent because n8n was busy for too long before the request',
		},
	});
});

/** A person sets the clock by ten minutes, or the machine sleeps for ten: its clock runs on, and that of the process stands still. */
test.each([600, -600])(
	'after the clock of the machine was set by %i seconds, nothing is sent',
	async (seconds) => {
		const { result, options } = await sendAfter(seconds + 1, 1);
		expect(options).toBeUndefined();
		expect(result).toMatchObject({
			failure: {
				outcome: 'notSent',
				message:
					'Not sent because the clock of this machine was set, or the machine has slept, before the request',
				description: 'Check the clock, and run this item again.',
			},
		});
	},
);

describe('what n8n signs', () => {
	const { authenticate } = new WalletServiceApi();
	const credential = { baseUrl: 'https://wallet.example', apiKey: 'k', signatureSecret: 's' };
	const sign = async (options: object) =>
		await (authenticate as (...given: object[]) => Promise<IHttpRequestOptions>)(credential, { ...options });

	test.each([
		['half a minute after its claim', { machine: 31, process: 31 }, LateError],
		['after the clock was set', { machine: 629, process: 29 }, ClockError],
		['after the clock was set back', { machine: -571, process: 29 }, ClockError],
	] as const)('%s is not sent', async (_, times, error) => {
		const { options, clocks } = await sendAfter(29);
		await sign(options!);
		Object.assign(clocks.times, times);
		await expect(sign(options!)).rejects.toThrow(error);
		expect(transportError(getOperation('fiatWallet.createPayout'), new error())).toMatchObject({
			outcome: 'notSent',
		});
	});

	test('ends with the deadline of its claim, and with the execution', async () => {
		for (const end of ['deadline', 'execution'] as const) {
			const ends = { deadline: new AbortController(), execution: new AbortController() };
			const given = { url: '/v1/rates', deadline: ends.deadline.signal, abortSignal: ends.execution.signal };
			const { abortSignal, ...others } = await sign(given);
			expect(others).not.toHaveProperty('deadline');
			expect(abortSignal?.aborted).toBe(false);
			ends[end].abort();
			expect(abortSignal?.aborted).toBe(true);
		}
	});
});
