/** The examples that convert, on a real n8n: orders by several contracts, and the way of a deposit to the bank. */
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded, until } from '../../host/n8n/client.ts';
import type { Execution, Json } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { listOf, payoutsMade } from '../../host/testkit/payments.ts';
import { calls, inLine, node } from '../../host/testkit/workflows.ts';
import type { Transaction } from '../../sandbox/records.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useStack } from './setup.ts';

const NOTIFY = 'Notify (replace by your mail or chat node)';
const SCHEDULE = 'Every 15 minutes';
const text = expect.any(String);

const stack = useStack('convert-at-rate', 'deposit-to-bank');

const run = async (file: string, trigger = SCHEDULE): Promise<Execution> =>
	succeeded(await stack.client.runByHand(stack.example(file).id, trigger));

const table = (name: string) => dataTable(stack.client, name);
const rowsOf = async (name: string): Promise<Json[]> => await table(name).rows();
const fault = async (route: string, kind: Json) => await stack.control('POST', '/faults', { route, ...kind });

const conversions = (): Transaction[] => [...stack.sandbox.service.ledger.transactions.all()];
const made = () => conversions().map(({ from_amount, to_amount }) => `${from_amount} to ${to_amount}`);

/** A contract of the service. The best of the sandbox gives 1542.648 after its fee. */
function offer(contract_id: string, rate: string, available: string): void {
	const fee = '0';
	const sold = { from: 'USDT', to: 'NGN' };
	stack.sandbox.service.ledger.contracts.put(contract_id, { contract_id, ...sold, rate, fee, available });
}

renewForEachTest(stack);

describe('convert-at-rate', () => {
	let orders = 0;
	const order = (from_amount: string, minimum_rate: string, more: Json = {}) => ({
		...{ order_number: `A-${++orders}`, from_currency: 'USDT', to_currency: 'NGN', from_amount },
		...{ minimum_rate, ...more },
	});
	const convert = async () => itemsOf(await run('convert-at-rate'), NOTIFY);
	const fill = async (...rows: Json[]) => await table('wallet_service_orders').fill(rows);

	test('converts the order that npm start put there, and the other one waits', async () => {
		expect(await convert()).toMatchObject([
			{
				text: expect.stringMatching(
					/^Converted 100.25 USDT to 154650.462 NGN. The wanted rate is 1500 or more.\n- .* at 1542.648, as /,
				),
			},
		]);
		expect(await convert()).toEqual([]);
		expect(await rowsOf('wallet_service_orders')).toMatchObject([
			{ state: 'converted', rate: '1542.648' },
			{ state: '', note: expect.stringContaining('No contract gives 2000') },
		]);
		expect(made()).toEqual(['100.25 to 154650.462']);
	});

	test('splits an order over contracts, the best first, and says each applied rate', async () => {
		offer('ic_usd_ngn', '1560', '60.5');
		await fill(order('100.25', '1542.6'), order('30', '1555'));
		const [told, ...others] = await convert();
		expect(others).toEqual([]);
		// 39.75 at 1542.648
		expect(told!.text).toMatch(
			/^Converted 100.25 USDT to 155700.258 NGN. The wanted rate is 1542.6 or more.\n- 60.5 USDT to 94380 NGN by ic_usd_ngn at 1560, as itx_\w+\n- 39.75 USDT to 61320.258 NGN by ic_usdt_ngn at 1542.648, as itx_\w+$/,
		);
		expect(made()).toEqual(['60.5 to 94380', '39.75 to 61320.258']);
		expect((await rowsOf('wallet_service_conversions')).slice(-2)).toMatchObject([
			{ payment_key: `A-${orders - 1}/1`, state: 'converted', transaction_id: text },
			{ payment_key: `A-${orders - 1}/2`, state: 'converted', transaction_id: text },
		]);
		expect(await rowsOf('wallet_service_orders')).toMatchObject([
			{ state: 'converted', to_amount: '155700.258' },
			{ state: '' },
		]);
	});

	test('says why an order waits, failed or is too old, and converts none of them', async () => {
		await fill(
			order('100', '1542.7'),
			order('1000.01', '1500'),
			order('10', '1500', { valid_until: '2026-01-31 18:00' }),
			order('10', '1500', { valid_until: 'soon' }),
			{ ...order('10', '1500'), order_number: 'B-1' },
			{ ...order('10', '1500'), order_number: 'b-1' },
		);
		const told = await convert();
		const stored = await rowsOf('wallet_service_orders');
		expect(stored).toMatchObject([
			{ state: '', note: expect.stringContaining('No contract gives 1542.7') },
			{ state: 'failed', note: expect.stringContaining("The amount 1000.01 is above 'Maximum Amount' 1000") },
			{ state: 'expired' },
			{ state: 'failed', note: expect.stringContaining('valid_until') },
			{ state: 'failed', note: expect.stringContaining('Another order has this order_number') },
			{ state: 'failed' },
		]);
		expect(told.map(({ state }) => state)).toEqual(['failed', 'expired', 'failed', 'failed', 'failed']);
		expect(made()).toEqual([]);
	});

	test('stops an order whose part is not known, and a person settles it', async () => {
		offer('ic_usd_ngn', '1560', '60');
		const lost = order('100', '1500');
		await fill(lost);
		await fault('POST /v1/instant_conversion', { dropAfter: true });
		expect(await convert()).toMatchObject([
			{
				state: 'unknown',
				note: expect.stringMatching(
					/60 USDT by ic_usd_ngn.* balance was 5000000.00 before it and is 5093600.00 now/,
				),
			},
		]);
		expect(await convert()).toEqual([]);
		const again = async () =>
			await table('wallet_service_orders').update({ order_number: lost.order_number }, { state: '' });
		const settle = async (values: Json) =>
			await table('wallet_service_conversions').update({ payment_key: `${lost.order_number}/1` }, values);
		await again();
		expect(await convert()).toMatchObject([{ state: 'unknown' }]);
		expect(made()).toEqual(['60 to 93600']);
		await settle({ transaction_id: conversions()[0]!.transaction_id });
		await again();
		expect(await convert()).toMatchObject([{ state: 'converted' }]);
		expect(made()).toEqual(['60 to 93600', '40 to 61705.92']);
	});

	test('waits while the contracts or published rates cannot be read, and converts again what a person says was not converted', async () => {
		const lost = order('10', '1500');
		await fill(lost);
		for (const route of ['GET /v1/instant_contracts', 'GET /v1/rates']) {
			await fault(route, { status: 500 });
			expect(await convert()).toEqual([]);
			expect(await rowsOf('wallet_service_orders')).toMatchObject([
				{ note: expect.stringContaining('cannot be read') },
			]);
		}
		await fault('POST /v1/instant_conversion', { status: 503 });
		expect(await convert()).toMatchObject([{ state: 'unknown' }]);
		await ageKeys(stack);
		await table('wallet_service_conversions').update(
			{ payment_key: `${lost.order_number}/1` },
			{ settle: 'wasNotConverted' },
		);
		await table('wallet_service_orders').update({ order_number: lost.order_number }, { state: '' });
		expect(await convert()).toMatchObject([{ state: 'converted' }]);
		expect(made()).toEqual(['10 to 15426.48']);
	});
});

describe('deposit-to-bank', () => {
	beforeAll(async () => {
		const { client, n8n } = stack;
		await client.publish(stack.example('convert-at-rate'));
		await client.publish(stack.example('deposit-to-bank'));
		await stack.control('PUT', '/webhook', { url: webhookUrl(n8n, stack.example('deposit-to-bank')) });
	});

	const NAME = 'wallet_service_deposits';
	const arrives = async (amount: string, more: Json = {}) =>
		(
			await stack.control('POST', '/deposits', {
				wallet_alias: 'deposits-usdt',
				coin: 'USDT',
				amount,
				...more,
			})
		).id as string;
	const row = async (id: string) => (await rowsOf(NAME)).find(({ deposit_id }) => deposit_id === id);
	const settled = async (id: string, what: Json) =>
		await until(`the deposit ${id} is ${JSON.stringify(what)}`, async () => {
			const found = await row(id);
			return Object.entries(what).every(([key, value]) => found?.[key] === value) ? found : undefined;
		});
	const paid = () => payoutsMade(stack).map(({ amount, destination }) => `${amount} to ${destination}`);
	const subjects = () => stack.mailbox.mails.map(({ subject }) => subject);

	test('the sample pays nothing and says so', async () => {
		const execution = await run('deposit-to-bank', 'Deposit arrives');
		expect(itemsOf(execution, 'Not for the bank')).toMatchObject([
			{ text: expect.stringContaining('sample-wallet') },
		]);
		expect([...made(), ...paid(), ...subjects()]).toEqual([]);
	});

	test('a deposit is converted by two contracts and paid once, with one mail for the whole way', async () => {
		offer('ic_usd_ngn', '1560', '60.123');
		const id = await arrives('100.257');
		await settled(id, { state: 'paid' });
		expect(made()).toEqual(['60.123 to 93791.88', '40.134 to 61912.634832']);
		expect(paid()).toEqual(['155704.51 to supplier-main']);
		expect(stack.mailbox.mails).toMatchObject([{ subject: `Paid to the bank: 100.257 USDT, deposit ${id}` }]);
		const mail = stack.mailbox.mails[0]!.text;
		expect(mail).toContain('0.004832 NGN stay in the wallet');
		expect(mail).toContain(`as ${payoutsMade(stack)[0]!.payout_id}`);
		await run('deposit-to-bank');
		expect(paid()).toHaveLength(1);
		expect(subjects()).toHaveLength(1);
	});

	test('another workflow hands over deposits, one at a time, and one that cannot be read is told', async () => {
		const handOver = async (name: string, ...deposits: Json[]) => {
			const nodes = [
				...listOf(deposits),
				node('Hand over', 'executeWorkflow', { ...calls(stack.example('deposit-to-bank')), options: {} }),
			];
			const { id } = await stack.client.saveWorkflow({ name, nodes, connections: inLine(nodes) });
			return await stack.client.runByHand(id, 'Start');
		};
		const event = { walletAlias: 'deposits-usdt', coin: 'USDT', status: 'successful', fee: '0.5' };
		const deposit = { ...event, id: 'dep_handed', amount: '10.5' };
		for (const name of ['Hands over', 'Hands over again'])
			expect((await handOver(name, deposit)).status).toBe('success');
		expect(await row('dep_handed')).toMatchObject({ state: 'paid', amount: '10' });
		expect(paid()).toEqual(['15426.48 to supplier-main']);
		expect((await handOver('Hands over two', deposit, { ...deposit, id: 'dep_two' })).status).toBe('error');
		await handOver('Hands over nothing', { ...deposit, id: 'dep_none', amount: '' });
		expect(stack.mailbox.mails.slice(1)).toMatchObject([
			{ text: expect.stringContaining('Its amount cannot be read. Look it up') },
		]);
		expect([made().length, paid().length]).toEqual([1, 1]);
	});

	test('a rate below the floor waits, tells it once, and goes on with the next schedule, also if its mail is refused', async () => {
		const { contracts } = stack.sandbox.service.ledger;
		const good = contracts.get('ic_usdt_ngn')!;
		contracts.put('ic_usdt_ngn', { ...good, rate: '1490' });
		const id = await arrives('10');
		await settled(id, { told: 'waits' });
		await run('deposit-to-bank');
		expect(subjects()).toEqual([`Waits: 10 USDT, deposit ${id}`]);
		contracts.put('ic_usdt_ngn', good);
		stack.mailbox.faults.push('refuse');
		await stack.client.runByHand(stack.example('deposit-to-bank').id, SCHEDULE);
		expect(await row(id)).toMatchObject({ state: 'open', paid_amount: '15426.48' });
		await run('deposit-to-bank');
		expect(await row(id)).toMatchObject({ state: 'paid', paid_amount: '15426.48' });
		expect(paid()).toEqual(['15426.48 to supplier-main']);
		expect(subjects()).toHaveLength(2);
	});

	test('an unknown conversion and an unknown payout stop the way until a person settles each', async () => {
		await fault('POST /v1/instant_conversion', { dropAfter: true });
		await fault('POST /v1/fiat_payout', { dropAfter: true });
		const id = await arrives('11');
		await settled(id, { state: 'open', to_amount: '' });
		await until('the mail', () => subjects()[0]);
		await run('deposit-to-bank');
		expect(subjects()).toEqual([`LOOK IT UP: 11 USDT, deposit ${id}`]);
		expect(made()).toHaveLength(1);
		await table('wallet_service_conversions').update(
			{ payment_key: `${id.toUpperCase()}/1` },
			{ transaction_id: conversions()[0]!.transaction_id },
		);
		await run('deposit-to-bank');
		expect(await row(id)).toMatchObject({ state: 'open', told: 'payout unknown', to_amount: '16969.128' });
		await run('deposit-to-bank');
		expect(paid()).toEqual(['16969.12 to supplier-main']);
		await ageKeys(stack);
		await table('wallet_service_book').update({ key: id.toUpperCase() }, { settle: 'wasPaid' });
		await run('deposit-to-bank');
		expect(await row(id)).toMatchObject({ state: 'paid' });
		expect([made().length, paid().length, subjects().length]).toEqual([1, 1, 3]);
	});

	test('four runs of the schedule at once pay each deposit once', async () => {
		await stack.control('PUT', '/webhook', { url: null });
		const deposits = Array.from({ length: 3 }, (_, index) => ({
			deposit_id: `dep_x${index}`,
			wallet: 'deposits-usdt',
			coin: 'USDT',
			amount: `${index + 1}`,
			to_currency: 'NGN',
			pay_to: 'supplier-main',
			minimum_rate: '1500',
			state: 'open',
			told: '',
			busy_time: '2000-01-01T00:00:00.000Z',
		}));
		await table(NAME).insert(deposits);
		await Promise.all(Array.from({ length: 4 }, async () => await run('deposit-to-bank')));
		expect(made().sort()).toEqual(['1 to 1542.648', '2 to 3085.296', '3 to 4627.944']);
		expect(paid().sort()).toEqual(
			['1542.64', '3085.29', '4627.94'].map((amount) => `${amount} to supplier-main`),
		);
		expect(subjects()).toHaveLength(3);
	});
});

testExamplesOf('n8n/conversions', stack);
