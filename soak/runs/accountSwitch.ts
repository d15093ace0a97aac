/**
 * Keys are paid with a test account, then the same workflow pays the same list with the live account: another credential is
 * chosen, or the same one is edited. The live service must not be asked, and no item may say that it is paid.
 */
import type { WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { requireControl } from '../../host/sandboxClient.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { makePayments, timesPaid, wordOf } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { figuresOf, judged } from '../shared/paymentLines.ts';
import type { PaymentFigures } from '../shared/paymentLines.ts';
import { pay, prepare, publishPayer, ROUTE, withStack } from '../../bench/shared/payments/payer.ts';
import type { Payer } from '../../bench/shared/payments/payer.ts';
import { tally } from '../../bench/shared/lists.ts';
import { DECIDED_BY_ITEM } from '../payments/decisions.ts';
import { killAndRestart } from '../payments/stacks.ts';
import { saveCredential } from '../../bench/shared/workflowParts.ts';

const FULL = { rounds: 10, keys: 20 };
export const SHORT = { rounds: 1, keys: 5 };

/** How the account is switched, by the credential of the live one. */
const TEST = 'Account';
const WAYS = { 'another credential': 'Live account', 'the credential edited': TEST };

/** Payments before the one that gets no answer, so that its outcome is unknown. */
const BEFORE_UNKNOWN = 1;

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withStack(async (stack) => await switchAccounts(stack, short ? SHORT : FULL));
}

/** Leaves n8n killed; the sandbox of the stack goes on. */
export async function switchAccounts(stack: Stack, { rounds, keys }: typeof FULL): Promise<PaymentFigures> {
	const live = await startSandbox();
	let current = stack;
	try {
		await prepare(live);
		const figures: PaymentFigures = { lines: [], misses: [] };
		for (const [way, liveCredential] of Object.entries(WAYS)) {
			const words = new Map<Payment, string>();
			const [saidFirst, saidLive, saidLater]: [string[], string[], string[]] = [[], [], []];
			const before = await requestsOf(live);
			for (let round = 0; round < rounds; round += 1) {
				const payments = makePayments(keys);
				const choose = async (sandbox: Stack['sandbox'], credential: string) =>
					await chooseAccount(current, `Switched: ${way} ${round}`, sandbox, credential);
				const payAll = async (payer: Payer, decision?: string) =>
					(
						await pay(
							current.n8n,
							payer,
							payments.map((payment) => ({ ...payment, decision })),
						)
					).map(wordOf);
				const test = await choose(stack.sandbox, TEST);
				await stack.control('POST', '/faults', { route: ROUTE, skip: BEFORE_UNKNOWN, dropAfter: true });
				saidFirst.push(...(await payAll(test)));
				// Once n8n knows the first account from its record alone.
				if (round === 0) current = await killAndRestart(current, test);
				const switched = await choose(live, liveCredential);
				saidLive.push(...(await payAll(switched)));
				// A person's decision is about the payment of the test account.
				saidLive.push(...(await payAll(switched, 'wasNotPaid')), ...(await payAll(switched, 'wasPaid')));
				const back = await payAll(await choose(stack.sandbox, TEST));
				saidLater.push(...back);
				for (const [index, payment] of payments.entries()) words.set(payment, back[index] ?? '');
				process.stderr.write(`${way}: ${round + 1} of ${rounds} rounds\n`);
			}
			const asked = (await requestsOf(live)) - before;
			const line = {
				what: `paid with the test account, then three times with the live one (${way})`,
				...figuresOf(stack, [...words.keys()], words),
				more: `live service asked: ${asked}; test said: ${tally(saidFirst)}; live said: ${tally(saidLive)}; test said later: ${tally(saidLater)}`,
			};
			const { lines, misses } = judged([line]);
			figures.lines.push(...lines);
			figures.misses.push(...misses);
			const saidPaid = saidLive.filter((word) => word !== 'notSent').length;
			if (asked > 0) figures.misses.push(`${line.what}: the live service was asked ${asked} times`);
			if (saidPaid > 0) figures.misses.push(`${line.what}: ${saidPaid} items were not refused`);
		}
		await expectToPay(current, live);
		return figures;
	} finally {
		await current.n8n.kill();
		await live.stop();
	}
}

/** Saves and publishes the workflow of that name again, with a credential of this account. */
async function chooseAccount(
	stack: Stack,
	name: string,
	{ url, key, secret }: Stack['sandbox'],
	credential: string,
): Promise<Payer> {
	const data = { ...stack.credential.data, baseUrl: url, apiKey: key, signatureSecret: secret };
	const credentials: WorkflowNode['credentials'] = await saveCredential(
		stack.client,
		CREDENTIAL_TYPE,
		data,
		credential,
	);
	return await publishPayer(stack, name, { parameters: DECIDED_BY_ITEM, settings: { credentials } });
}

async function requestsOf(sandbox: Stack['sandbox']): Promise<number> {
	const { results } = (await requireControl(sandbox, 'GET requests')) as { results: unknown[] };
	return results.length;
}

/** Throws if the live account does not pay new keys: then its silence before says nothing. */
async function expectToPay(stack: Stack, live: Stack['sandbox']): Promise<void> {
	const payer = await chooseAccount(stack, 'Live', live, WAYS['another credential']);
	const payments = makePayments(1);
	const [word] = (await pay(stack.n8n, payer, payments)).map(wordOf);
	const times = timesPaid({ sandbox: live }).get(payments[0]?.amount ?? '');
	if (word !== 'paid' || times !== 1) throw new Error(`The live account said ${word} for a new key`);
}
