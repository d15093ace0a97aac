import { randomUUID } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';
import { requireControl } from '../sandbox/client.ts';
import { withSandbox } from '../sandbox/withSandbox.ts';
import { NODE } from './engine.ts';
import { headless } from './harness.ts';
import { withAnswer, type Answer } from './withAnswer.ts';
import { records, timing } from './memoryProcessedItems.ts';

/** The parameters of a fiat payout whose amount and destination come from the item. */
export const PAYOUT = {
	resource: 'fiatWallet',
	operation: 'createPayout',
	currency: 'NGN',
	amount: '={{ $json.amount }}',
	account_alias: '={{ $json.alias }}',
};

export const PAY_LIST = { resource: 'payoutList', operation: 'pay' };

/** A row that one person has approved, as *Read* gives it. */
export const listRow = (paymentKey: string, amount = '10', more: object = {}) => ({
	json: {
		paymentKey,
		amount,
		currency: 'NGN',
		destination: 'supplier-main',
		approvedBy: 'Ada Obi',
		problems: [],
		...more,
	},
});

/** The parameters of a fiat payout without expressions. */
export const FIAT = { ...PAYOUT, amount: '10', account_alias: 'supplier-main' };

/** The parameters of a crypto payout with this JSON as its body. */
export const cryptoPayout = (requestBody: string) => ({
	resource: 'cryptoWallet',
	operation: 'createPayout',
	specifyBody: 'json',
	requestBody,
});

export const CRYPTO = cryptoPayout('{"coin":"USDT","amount":"5","wallet_alias":"treasury"}');

export const CONVERT = {
	resource: 'instantLiquidity',
	operation: 'convert',
	contract_id: 'ic_usdt_ngn',
	from_amount: '5',
};

/** The parameters of fiat payouts with the key, the amount and the destination of the item. */
export const BY_KEY = { ...PAYOUT, paymentKey: '={{ $json.key }}' };

/** The input item of a payment. */
export const payout = (amount: string, more: object = {}) => ({
	json: { amount, alias: 'supplier-main', ...more },
});
export const keyed = (key: string, amount = '10') => payout(amount, { key });

export const CONTINUED = { settings: { onError: 'continueRegularOutput' as const } };

export const RETRYING = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The `result` of an item, or `waiting`. A failed one must have the same word as the `outcome` of its error, and what waits is not sent. */
export const resultOf = ({ json }: INodeExecutionData): unknown => {
	const { outcome } = (json.error ?? { outcome: json.result }) as { outcome?: unknown };
	expect(json.result).toBe(outcome);
	if (!('waiting' in json)) return json.result;
	expect(json).toMatchObject({ result: 'notSent', waiting: true });
	return 'waiting';
};

export type Setup = Parameters<ReturnType<typeof headless>['runNode']>[0];

/** A process of n8n, with a memory of its own. All of them have one database. */
export async function startProcess() {
	let n8n: ReturnType<typeof headless> | undefined;
	await jest.isolateModulesAsync(async () => {
		const { WalletService } = await import('../../nodes/WalletService/WalletService.node.ts');
		const { WalletServiceDesk } = await import('../../nodes/WalletServiceDesk/WalletServiceDesk.node.ts');
		const { WalletServiceTrigger } = await import(
			'../../nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts'
		);
		n8n = headless([WalletService, WalletServiceDesk, WalletServiceTrigger]);
	});
	return n8n!;
}

/** A node of this type whose service is a sandbox. Each test begins with the sandbox's first state, and with no payment recorded. */
export function withNode(type = 'walletService') {
	const n8n = headless();
	// A test that stops the date stops it for the sandbox too.
	const sandbox = withSandbox({ settleAfterMs: null, now: () => Date.now() }, { once: true });
	const credentials: Record<string, string> = {};
	beforeAll(() => {
		const { url, key, secret } = sandbox;
		Object.assign(credentials, { baseUrl: url, apiKey: key, signatureSecret: secret });
	});
	/** n8n's process remembers what it knows of the keys of a workflow. */
	let workflowId: string;
	beforeEach(async () => {
		await requireControl(sandbox, 'POST reset');
		records.clear();
		workflowId = randomUUID();
	});
	afterEach(() => Object.assign(timing, { fail: undefined, ahead: 0, set: 0 }));
	const run = async (parameters: object, more: Partial<Setup> = {}) =>
		await n8n.runNode({
			type,
			parameters: parameters as never,
			credentials,
			credentialId: 'credential-id',
			workflowId,
			...more,
		});
	/** Runs the node at a service that gives this answer to everything, or closes the connection. */
	const runAt = async (parameters: object, answer: Answer | undefined, more: Partial<Setup> = {}) =>
		await withAnswer(answer, async (baseUrl, requests) => {
			const atService = { ...credentials, ...more.credentials, baseUrl };
			return { ...(await run(parameters, { ...more, credentials: atService })), requests: requests() };
		});
	const asked = () => sandbox.service.requests.all().length;
	const fault = async (kind: object, times = 1, route = 'POST /v1/fiat_payout') =>
		await requireControl(sandbox, 'POST faults', { route, times, ...kind });
	/** n8n starts again with this database: the process knows nothing, the record is there. */
	const restart = () => {
		const stored = structuredClone([...records]);
		const before = workflowId;
		records.clear();
		workflowId = randomUUID();
		for (const [place, entries] of stored) records.set(place.replace(before, workflowId), entries);
	};
	return {
		restart,
		n8n,
		credentials,
		sandbox,
		run,
		/** Pays items that `keyed` made, with *On Error: Continue*. Returns the items. */
		payByKey: async (items: INodeExecutionData[], options: object = {}, more: Partial<Setup> = {}) =>
			(await run({ ...BY_KEY, options }, { ...CONTINUED, items, ...more })).items.flat(),
		/** Runs the node with *On Error: Continue*. Returns the result of each item. */
		resultsOf: async (parameters: object, more: Partial<Setup> = {}): Promise<unknown[]> =>
			(await run(parameters, { ...CONTINUED, ...more })).items.flat().map(resultOf),
		/** The error of a run that sends nothing. */
		refusalOf: async (parameters: object, more: Partial<Setup> = {}) => {
			const { error } = await run(parameters, more);
			expect(error?.context).toMatchObject({ outcome: 'notSent' });
			expect(asked()).toBe(0);
			return error!;
		},
		runAt,
		/** Runs the node with *On Error: Continue* at a service that gives this answer to everything. Returns the items. */
		answered: async (...[parameters, answer, more]: Parameters<typeof runAt>) =>
			(await runAt(parameters, answer, { ...CONTINUED, ...more })).items.flat(),
		/** Runs the node, and returns what n8n shows above its items. */
		hints: async (...given: Parameters<typeof run>) =>
			(await run(...given)).runData[NODE]!.at(-1)!.hints?.map(({ type, message }) => [type, message]) ?? [],
		/** Makes the next `times` requests for the route fail in this way. */
		fault,
		/** The amounts that the service accepted, in order. */
		accepted: () => [...sandbox.service.ledger.payouts.all()].map(({ amount }) => amount),
		/** How many requests the service has received. */
		asked,
	};
}
