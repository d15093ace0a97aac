import { NODE } from './engine.ts';
import { withAnswer } from './withAnswer.ts';
import { CONTINUED, FIAT, PAYOUT, payout, withNode } from './withNode.ts';

/** What n8n and its tracing are told about a run. */
const { credentials, run, fault } = withNode();

const tracing = async (...[parameters, more]: Parameters<typeof run>) => {
	const { runData } = await run(parameters, more);
	return runData[NODE]!.at(-1)!.metadata?.tracing;
};
const nobody = { alias: 'nobody' };
const NONE = {
	'wallet_service.paid': 0,
	'wallet_service.already_paid': 0,
	'wallet_service.dry_run': 0,
	'wallet_service.not_sent': 0,
	'wallet_service.rejected': 0,
	'wallet_service.unknown': 0,
};

describe('the attributes of the span', () => {
	const PAY = { ...NONE, 'wallet_service.operation': 'fiatWallet.createPayout' };

	test('payments are counted by result, and no other attribute is set', async () => {
		const items = [payout('1.25'), payout('2', nobody), payout('3')];
		const parameters = { ...PAYOUT, paymentKey: '={{ "secret-" + $json.amount }}' };
		expect(await tracing(parameters, { items, ...CONTINUED })).toEqual({
			...PAY,
			'wallet_service.paid': 2,
			'wallet_service.rejected': 1,
		});
		expect(await tracing(parameters, { items: [payout('1.25')] })).toEqual({
			...PAY,
			'wallet_service.already_paid': 1,
		});
		expect(await tracing({ ...FIAT, options: { dryRun: true } })).toEqual({
			...PAY,
			'wallet_service.dry_run': 1,
		});
	});

	test('a node that stops counts what it has paid, and the failure', async () => {
		expect(await tracing(PAYOUT, { items: [payout('1'), payout('2', nobody), payout('3')] })).toEqual({
			...PAY,
			'wallet_service.paid': 1,
			'wallet_service.rejected': 1,
		});
	});

	test('a later try of the node replaces the counts', async () => {
		await fault({ status: 422 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect(await tracing(FIAT, { settings })).toEqual({ ...PAY, 'wallet_service.paid': 1 });
	});

	test('calls that move no money are counted too', async () => {
		const parameters = { resource: 'fiatWallet', operation: 'getBalance', currency: '={{ $json.currency }}' };
		const items = ['NGN', 'USD', ''].map((currency) => ({ json: { currency } }));
		expect(await tracing(parameters, { items, ...CONTINUED })).toEqual({
			'wallet_service.operation': 'fiatWallet.getBalance',
			'wallet_service.answered': 2,
			'wallet_service.not_sent': 1,
		});
	});
});

describe("n8n's word for the failure", () => {
	const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };
	const failureOf = async (parameters: object, status: number, headers: Record<string, string> = {}) => {
		const error = await withAnswer({ status, headers, body: '{"message":"no"}' }, async (baseUrl) => {
			return (await run(parameters, { credentials: { ...credentials, baseUrl } })).error;
		});
		return (error as { failure?: unknown }).failure;
	};

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
		expect(await failureOf(parameters, status, headers)).toEqual(failure);
	});

	test('a service that is not there may come back, and an unusable credential may not', async () => {
		const away = await run(FIAT, { credentials: { ...credentials, baseUrl: 'http://127.0.0.1:9' } });
		expect(away.error).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		const unusable = await run(FIAT, { credentials: { ...credentials, signatureSecret: '' } });
		expect(unusable.error).toMatchObject({ failure: { cause: 'credential-invalid' } });
	});
});
