import { FIAT, withNode } from './withNode.ts';

/** What n8n is told about a failure. */
const { credentials, run, runAt } = withNode();

describe("n8n's word for the failure", () => {
	const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };
	test.each<[object, number, Record<string, string>, unknown]>([
		[FIAT, 429, {}, { cause: 'rate-limited' }],
		[FIAT, 429, { 'retry-after': '7' }, { cause: 'rate-limited', retryAfterMs: 7000 }],
		[FIAT, 401, {}, { cause: 'credential-invalid' }],
		[BALANCE, 403, {}, { cause: 'credential-invalid' }],
		[BALANCE, 503, {}, { cause: 'temporarily-unavailable' }],
		[FIAT, 422, {}, undefined],
		// The money may have moved: no wait makes another try right.
		[FIAT, 503, {}, undefined],
	])('after a request of %j, %i %j is the failure %j', async (parameters, status, headers, failure) => {
		const { error } = await runAt(parameters, { status, headers, body: '{"message":"no"}' });
		expect((error as { failure?: unknown }).failure).toEqual(failure);
	});

	test('a service that is not there may come back, and an unusable credential may not', async () => {
		const away = await run(FIAT, { credentials: { ...credentials, baseUrl: 'http://127.0.0.1:9' } });
		expect(away.error).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		const unusable = await run(FIAT, { credentials: { ...credentials, signatureSecret: '' } });
		expect(unusable.error).toMatchObject({ failure: { cause: 'credential-invalid' } });
	});
});
