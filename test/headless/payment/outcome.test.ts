import { serve } from '../../../host/doubles/loopbackServer.ts';
import { MemoryCredentials } from '../memoryCredentials.ts';
import { BY_KEY, CRYPTO, FIAT, keyed, resultOf, withNode } from '../withNode.ts';

/** What the service's answer proves: the payment was made, it was not made, or neither. interpret.test.ts has all answers. */
const { credentials, run, runAt, resultsOf, answered, accepted, asked, fault } = withNode();

describe('no answer', () => {
	test('a closed connection is unknown, the payment is sent once, and the error says what to do', async () => {
		const { error, requests } = await runAt(FIAT, undefined);
		expect(error).toMatchObject({
			message: 'The service gave no answer (connection closed)',
			description: expect.stringMatching(
				/could pay twice\.<br><a href="https:[^"]+\/docs\/operate\/unknown-payments\.md" target="_blank">Decide about unknown payments<\/a>$/,
			),
			context: { outcome: 'unknown' },
		});
		expect(requests).toBe(1);
	});

	test('no item and no failed one has a link: only n8n shows it, where the node stops', async () => {
		const [item] = await answered(FIAT, undefined);
		expect(JSON.stringify(item!.json)).not.toContain('<a ');
	});

	test('if nobody listens at the address, nothing was sent', async () => {
		const nobody = { ...credentials, baseUrl: 'http://127.0.0.1:9' };
		expect(await resultsOf(FIAT, { credentials: nobody })).toEqual(['notSent']);
	});

	test('no answer in time is unknown', async () => {
		await fault({ delayMs: 2000 });
		const { error } = await run({ ...FIAT, requestOptions: { timeout: 200 } });
		expect(error?.context).toMatchObject({ outcome: 'unknown' });
	});

	test('a payment that n8n has not signed in time is not sent later', async () => {
		let sign = () => {};
		const tooLate = new Promise<void>((resolve) => (sign = resolve));
		// n8n does this before it signs.
		const slow = jest.spyOn(MemoryCredentials.prototype, 'preAuthentication');
		slow.mockImplementation(async () => await tooLate);
		expect(await resultsOf({ ...FIAT, requestOptions: { timeout: 100 } })).toEqual(['unknown']);
		expect(slow).toHaveBeenCalledTimes(1);
		sign();
		slow.mockRestore();
		// It would have come before the next payment.
		expect(await resultsOf(FIAT)).toEqual(['paid']);
		expect(asked()).toBe(1);
	});
});

test.each<[string, string, number, string]>([
	['an answer for another payment', 'unknown', 200, '{"payout_id":"po_1","account_alias":"mallory"}'],
	['a 409 that is said to be a refusal', 'rejected', 409, '{"message":"no"}'],
	['a 422 without a known reason', 'unknown', 422, '{"message":"no"}'],
	['a 422 with one', 'rejected', 422, '{"message":"Amount is too low","requestId":"err_1"}'],
	['a 422 with one and an ID', 'unknown', 422, '{"message":"Amount is too low","id":"err_1"}'],
	['a 422 with a code that is said to be a refusal', 'rejected', 422, '{"error":{"code":"POOL_IS_EMPTY"}}'],
	['a 422 with one, and a word of a repetition', 'unknown', 422, '{"message":"Invalid: reference was used"}'],
])('after %s, a payment is %s', async (_, result, status, body) => {
	const parameters = { ...FIAT, options: { refusedCodes: '402, 409, POOL_IS_EMPTY' } };
	expect((await answered(parameters, { status, body })).map(resultOf)).toEqual([result]);
});

test('two payments that get one identifier are one payment and one unknown', async () => {
	const body = '{"payout_id":"po_1","status":"pending"}';
	const items = [keyed('a'), keyed('b')];
	const failed = await runAt(BY_KEY, { body }, { items });
	expect(failed.error).toMatchObject({
		message:
			'1 of 2 already paid. The service answered with po_1, the identifier of another payment of this execution [item 2 of 2]',
		context: { outcome: 'unknown', executed: [{ itemIndex: 0, id: 'po_1' }] },
	});
	const made = await answered(BY_KEY, { body }, { items: [keyed('c'), keyed('d')] });
	expect(made.map(resultOf)).toEqual(['paid', 'unknown']);
});

test.each([
	[{ idField: 'no' }, 'paid', 'W-1'],
	[{}, 'paid', '7'],
	[{ idField: 'number' }, 'unknown', undefined],
])(
	'with the options %j, a nested answer that the document does not show is %s',
	async (options, result, id) => {
		const body = '{"data":{"id":7,"no":"W-1"}}';
		const items = await answered({ ...CRYPTO, options }, { body });
		expect(items.map(({ json }) => json)).toMatchObject([
			id === undefined ? { result } : { result, payoutId: id },
		]);
	},
);

test.each(['connect ECONNREFUSED 10.0.0.5:443', 'A preexisting payout'])(
	'the words of the service are shown, and none of n8n in their place: %s',
	async (message) => {
		const { error } = await runAt(FIAT, { status: 502, body: JSON.stringify({ message }) });
		expect(error?.message).toBe(`The service answered 502: ${message}`);
	},
);

describe('an answer that is broken', () => {
	/** The results of a payment at a service that answers each request with these bytes, and the number of requests. */
	const answeredBytes = async (bytes: string) => {
		let requests = 0;
		const server = await serve((incoming) => {
			requests += 1;
			incoming.resume().on('end', () => incoming.socket.end(bytes));
		});
		const inTime = { ...FIAT, requestOptions: { timeout: 3000 } };
		const results = await resultsOf(inTime, { credentials: { ...credentials, baseUrl: server.url } });
		await server.stop();
		return { results, requests };
	};

	test.each([
		['a 401 that is cut off, which n8n would repeat', '401 No\r\ncontent-length: 100\r\n\r\n{"message"'],
		['a 401 that is no gzip', '401 No\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}'],
		['a 101 with nothing after it', '101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
	])('after %s, a payment is unknown and was sent once', async (_, bytes) => {
		expect(await answeredBytes(`HTTP/1.1 ${bytes}`)).toEqual({ results: ['unknown'], requests: 1 });
	});
});

test('without a readable credential nothing left this machine, and the key stays free', async () => {
	const keyed = { ...FIAT, paymentKey: 'no-credential' };
	expect(await resultsOf(keyed, { credentials: undefined })).toEqual(['notSent']);
	expect(await resultsOf(keyed)).toEqual(['paid']);
	expect(accepted()).toEqual(['10']);
});

test.each([302, 307])('a redirect with %i is not followed, and is unknown', async (status) => {
	const answer = { status, headers: { location: '/v1/rates' }, body: '{"message":"no"}' };
	const { error, requests } = await runAt(FIAT, answer);
	expect(requests).toBe(1);
	expect(error?.context).toMatchObject({ outcome: 'unknown' });
});
