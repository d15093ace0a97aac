/**
 * 10,000 fiat and 10,000 crypto payouts of amounts of up to 38 digits through the real n8n. Every digit must arrive: in the request,
 * in the item of the action, and for crypto payouts in the webhook and the item of the trigger.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { adjustBalance, requireBalance } from '../../sandbox/ledger/balances.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { itemsOf } from '../../host/n8n/client.ts';
import type { Execution, Json } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE, webhookUrl } from '../../host/stack.ts';
import { amount, amountIn, worth } from '../shared/amounts.ts';
import { allSucceeded, newestExecution } from '../../bench/shared/executions.ts';
import { reportFigures } from '../shared/soakFigures.ts';
import {
	KEEP_EXECUTIONS,
	LAZY_EXPRESSION_ENGINE,
	withTemporaryN8n,
} from '../../bench/shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import {
	ACTION_NODE,
	nodeMaker,
	publishTrigger,
	verifyingCredential,
} from '../../bench/shared/workflowParts.ts';
import { PLENTY } from '../../bench/shared/payments/payer.ts';
import { savePayouts } from '../shared/workflows.ts';
import type { NodeMaker } from '../../bench/shared/workflowParts.ts';

const FULL = { runs: 20, amounts: 500 };
const SHORT = { runs: 1, amounts: 50 };
const PAY_OUT = 'Pay out';
/** The public API gives at most this many executions at once. */
const PAGE = 250;

const FIAT = {
	resource: 'fiatWallet',
	operation: 'createPayout',
	currency: 'NGN',
	amount: '={{ $json.amount }}',
	account_alias: 'supplier-main',
};
const CRYPTO = {
	resource: 'cryptoWallet',
	operation: 'createPayout',
	specifyBody: 'json',
	requestBody: '={ "coin": "USDT", "amount": {{ $json.amount }}, "wallet_alias": "treasury" }',
};

export async function run({ short }: { short: boolean }): Promise<void> {
	const { runs, amounts } = short ? SHORT : FULL;
	const sandbox = await startSandbox({
		settleAfterMs: 0,
		// n8n takes a run's deliveries one after another, so the last of them wait.
		deliveryTimeoutMs: 120_000,
		requestLogLength: amounts,
	});
	try {
		const { ledger } = sandbox.service;
		adjustBalance(ledger, requireBalance(ledger, 'fiat', 'NGN', 'code'), PLENTY);
		adjustBalance(ledger, requireBalance(ledger, 'crypto', 'USDT', 'code'), PLENTY);
		await withTemporaryN8n((host) => pay(host, sandbox, runs, amounts), {
			...KEEP_EXECUTIONS,
			...LAZY_EXPRESSION_ENGINE,
		});
	} finally {
		await sandbox.stop();
	}
}

async function pay(host: TemporaryN8n, sandbox: Sandbox, runs: number, count: number): Promise<void> {
	const begun = Date.now();
	const { client, n8n } = host;
	const node = await nodeMaker(client);
	const trigger = await publishTrigger(
		client,
		'Payout updates',
		{ events: ['crypto_payout_update'], verification: 'credential', options: {} },
		verifyingCredential(sandbox.webhookSecret),
	);
	sandbox.service.deliveries.url = webhookUrl(n8n, trigger);
	const payOut = await payOutWith(host, sandbox, node);
	const seed = randomInt(2 ** 31);
	const differences = {
		'amounts of fiat requests': 0,
		'amounts of fiat items': 0,
		'amounts of crypto requests': 0,
		'amounts of crypto items': 0,
		'crypto payouts without an exact update': 0,
	};
	for (let run = 0; run < runs; run++) {
		const sent = fc.sample(amount, { seed: seed + run, numRuns: count });

		const fiat = await payOut('Fiat payouts', FIAT, sent);
		differences['amounts of fiat requests'] += different(amountsSent(sandbox), sent);
		differences['amounts of fiat items'] += different(
			fiat.map((item) => item.amount),
			sent,
		);

		const since = newestExecution(host);
		const cryptoItems = await payOut('Crypto payouts', CRYPTO, sent);
		differences['amounts of crypto requests'] += different(amountsSent(sandbox), sent);
		// An undocumented response keeps a number as a number if a double holds it, so 1.50 becomes 1.5.
		differences['amounts of crypto items'] += different(
			cryptoItems.map((item) => worth(item.amount)),
			sent.map(worth),
		);
		await sandbox.idle();
		await allSucceeded(host, trigger.id, since, count);
		const updates = await triggerItems(host, trigger.id, count);
		differences['crypto payouts without an exact update'] += different(
			cryptoItems.map(({ payoutId }) => updates.get(payoutId)),
			sent.map((text) => `${text} successful`),
		);
		process.stdout.write(`${(run + 1) * count} of ${runs * count} amounts\n`);
	}
	const figures = {
		'amounts, each paid as fiat and as crypto': runs * count,
		'seed of the amounts': seed,
		...differences,
		seconds: Math.round((Date.now() - begun) / 1000),
	};
	reportFigures('Amounts with other digits', figures, Object.keys(differences));
}

/** Returns a function that pays the amounts in one execution, started by hand, and returns the items that come out. */
async function payOutWith({ client }: TemporaryN8n, sandbox: Sandbox, node: NodeMaker) {
	const data = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
	const id = await client.saveCredential(CREDENTIAL_TYPE, 'Payouts', data);
	const credentials = { [CREDENTIAL_TYPE]: { id, name: 'Payouts' } };
	return async (name: string, parameters: Json, amounts: string[]): Promise<Json[]> => {
		const pay = node(PAY_OUT, ACTION_NODE, parameters, { credentials });
		const workflow = await savePayouts(client, node, name, amounts, pay);
		const execution = await client.runByHand(workflow.id, 'Start');
		if (execution.status !== 'success')
			throw new Error(`${name}: the execution ended as ${execution.status}`);
		return itemsOf(execution, PAY_OUT);
	};
}

/** The text of the amount in each request body, in the order of the requests. */
function amountsSent({ service }: Sandbox): Array<string | undefined> {
	return service.requests.all().map(({ body }) => amountIn(body));
}

/** How many values differ from the expected ones at the same place, or are too many. */
function different(values: unknown[], expected: string[]): number {
	const unequal = expected.filter((each, index) => values[index] !== each).length;
	return unequal + Math.max(0, values.length - expected.length);
}

/** Amount and status in the items of the newest executions of the trigger, by the payout's id. */
async function triggerItems(
	{ client }: TemporaryN8n,
	workflowId: string,
	count: number,
): Promise<Map<unknown, string>> {
	const executions: Execution[] = [];
	for (let cursor = ''; executions.length < count; ) {
		const page = (await client.call(
			'GET',
			`/api/v1/executions?workflowId=${workflowId}&includeData=true&limit=${PAGE}${cursor && `&cursor=${cursor}`}`,
		)) as { data: Execution[]; nextCursor: string | null };
		executions.push(...page.data);
		if (page.nextCursor === null) break;
		cursor = page.nextCursor;
	}
	const items = executions.flatMap((execution) => itemsOf(execution, 'Trigger'));
	return new Map(items.map(({ id, amount: text, status }) => [id, `${String(text)} ${String(status)}`]));
}
