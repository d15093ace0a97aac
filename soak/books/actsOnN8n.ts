/** What each command does in the world on n8n. */
import { DAY, HOUR } from '../../host/world/clock.ts';
import type { Command } from '../../host/world/commands.ts';
import { isCoin, textOf, unitsOf, type Asset } from '../../host/world/money.ts';
import type { Movement, Payment } from '../../host/world/movement.ts';
import type { Acts } from '../../host/world/world.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import { succeeded, until, type Json } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { createCryptoPayout, createFiatPayout } from '../../sandbox/ledger/payouts.ts';
import { isAlarm, type WorldOnN8n } from './onN8n.ts';

export const ACTS: Acts<WorldOnN8n> = {
	pay: payAll,
	payList: payAll,
	// With a payment so young, the example reads again after 70 minutes. So it is paid before all is read.
	payAtReading: payAll,
	async refuse(world, { amounts }) {
		const payment = Object.assign(world.order('NGN', amounts[0]!), { destination: 'supplier-new' });
		const [item] = await world.pay([payment]);
		if (item!.result !== 'rejected') throw new Error(`A refused payment is ${String(item!.result)}`);
		world.figures.rejected += 1;
	},
	receive: async (world, { asset, amounts }) => void (await deposit(world, asset, amounts[0]!)),
	credit: (world, command) => fund(world, command, 'credit'),
	debit: (world, command) => fund(world, command, 'debit'),
	convert,
	loseAnswer,
	kill,
	comeBack,
	contradict,
	denied,
	vanish(world, { asset, amounts }) {
		const loss = world.movement('', asset, -amounts[0]!);
		loss.moved = loss.amount;
		world.moveSilently(asset, loss.amount);
		world.addFault('vanish', loss);
	},
	async loseEvent(world, { asset, amounts }) {
		const { stack } = world;
		await world.quiet();
		await stack.control('PUT', '/webhook', { url: null });
		world.addFault('loseEvent', await deposit(world, asset, amounts[0]!));
		await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, stack.example('deposit-arrives')) });
	},
	intrude,
};

/* What comes in. */

async function deposit(world: WorldOnN8n, asset: Asset, units: bigint): Promise<Movement> {
	const to = isCoin(asset) ? { wallet_alias: 'deposits-usdt', coin: asset } : { alias: 'customer-0042' };
	const { id } = await world.stack.control('POST', '/deposits', { ...to, amount: textOf(units, asset) });
	const movement = world.movement(String(id), asset, units);
	movement.moved = units;
	return movement;
}

async function fund(world: WorldOnN8n, { asset, amounts }: Command, direction: string): Promise<void> {
	const given = { asset, amount: textOf(amounts[0]!, asset), direction };
	const { id } = await world.stack.control('POST', '/admin_funding', given);
	const movement = world.movement(String(id), asset, direction === 'debit' ? -amounts[0]! : amounts[0]!);
	movement.moved = movement.amount;
}

/** The sandbox has a contract of USDT to NGN, of which there is not much. */
async function convert(world: WorldOnN8n, { amounts }: Command): Promise<void> {
	const { client, example, sandbox } = world.stack;
	const [name, from] = [`CV-${world.number()}`, 50n + (amounts[0]! % 200n)];
	const order = { order_number: name, from: 'USDT', to: 'NGN', amount: `${from}.13`, minimum_rate: '1500' };
	const orders = dataTable(client, 'wallet_service_orders');
	await orders.fill([{ ...order, decision: '', result: '', received: '', message: '' }]);
	succeeded(await client.runByHand(example('convert-at-rate').id, 'Every 15 minutes'));
	const { to_amount } = sandbox.service.ledger.transactions.all().at(-1)!;
	world.movement(name, 'USDT', -unitsOf(order.amount));
	world.movement(name, 'NGN', unitsOf(to_amount));
	world.figures.conversions += 1;
}

/* Payments. */

async function payAll(world: WorldOnN8n, { asset, amounts }: Command): Promise<void> {
	await world.pay(amounts.map((units) => world.order(asset, units)));
}

async function loseAnswer(world: WorldOnN8n, { asset, amounts }: Command): Promise<void> {
	const [payment, isMade] = [world.order(asset, amounts[0]!), world.isRare(0.5)];
	const fault = isMade ? 'dropAfter' : 'dropBefore';
	await world.stack.control('POST', '/faults', { route: routeOf(asset), [fault]: true });
	const [item] = await world.pay([payment]);
	if (item!.result !== 'unknown') throw new Error(`A payment without an answer is ${String(item!.result)}`);
	world.later(world.between(0.1, 2) * DAY, () => decide(world, payment, isMade));
}

/** A person looks at the service, and answers the question of the workflow or types a row. */
async function decide(world: WorldOnN8n, payment: Payment, isMade: boolean): Promise<void> {
	await world.quiet();
	if (world.isRare(0.5)) {
		await ageKeys(world.stack);
		await world.pay([payment], { decision: isMade ? 'wasPaid' : 'wasNotPaid' });
		return;
	}
	const kind = isCoin(payment.asset) ? 'crypto payout' : 'fiat payout';
	await world.typed({ kind, key: payment.name, asset: payment.asset, result: isMade ? 'paid' : 'notSent' });
}

const routeOf = (asset: Asset) => (isCoin(asset) ? 'POST /v1/crypto_payout' : 'POST /v1/fiat_payout');

/** n8n stops when the service has made one of several payments, and its answer is on the way. */
async function kill(world: WorldOnN8n, { asset, amounts }: Command): Promise<void> {
	const { stack } = world;
	const payments = amounts.map((units) => world.order(asset, units));
	const last = Math.floor(world.between(0, payments.length));
	await world.quiet();
	await stack.control('POST', '/faults', { route: routeOf(asset), skip: last, delayMs: 3000 });
	const before = world.payouts().length;
	const paying = world.pay(payments).catch(() => undefined);
	await until('the payout', () => world.payouts().length > before + last);
	await stack.restart('kill', stack.example('deposit-arrives'));
	await paying;
	world.areMade(payments, before);
	world.figures.kills += 1;
	await world.quiet();
	world.later(world.between(2, 20) * HOUR, () => payAgain(world, payments));
}

/** The same list again. What is then unknown, a person decides, and the service repeats what did not arrive. */
async function payAgain(world: WorldOnN8n, payments: Payment[]): Promise<void> {
	const items = await world.pay(payments);
	const unknown = payments.filter((_, place) => items[place]!.result === 'unknown');
	const { deliveries } = world.stack.sandbox.service;
	for (const { id, status } of deliveries.all()) if (status === 'failed') deliveries.redeliver(id);
	world.later(world.between(1, 24) * HOUR, async () => {
		for (const payment of unknown) await decide(world, payment, true);
		await world.quiet();
		await typeUntold(
			world,
			payments.filter(({ asset }) => isCoin(asset)),
		);
	});
}

/** An event that n8n took before it was killed is lost: a person asks the service, and types its row. */
async function typeUntold(world: WorldOnN8n, payments: Payment[]): Promise<void> {
	const rows = world.rows();
	const isTold = (id: string) => rows.some(({ reference, fee }) => reference === id && fee !== '');
	for (const { id, asset, amount, destination, costs } of payments.filter((each) => !isTold(each.id))) {
		const cells = { asset, amount: textOf(amount, asset), counterpart: destination };
		const fee = { fee: textOf(costs, asset), feeAsset: asset };
		await world.typed({ kind: 'crypto payout', reference: id, status: 'successful', ...cells, ...fee });
	}
}

/* What the service says of what has ended. */

const updateOf = ({ id, asset, amount, destination }: Payment, status: string): Json => ({
	event: 'crypto_payout_update',
	id,
	coin: asset.toLowerCase(),
	status,
	'Amount sent': textOf(-amount, asset),
	'Wallet received alias': destination,
	fee: '',
});

function depositOf({ name: id, asset, amount }: Movement, status: string): Json {
	const said = { id, status, Amount: textOf(amount, asset) };
	if (!isCoin(asset)) return { event: 'virtual_account_credited', currency: asset, ...said };
	return { event: 'crypto_received', coin: asset, wallet_alias: 'deposits-usdt', ...said };
}

/** A payout or deposit that has ended well, which is then told to be in this state. */
async function endedAs(
	world: WorldOnN8n,
	{ asset, amounts }: Command,
	status: string,
	act: (movement: Movement) => void,
): Promise<void> {
	const order = isCoin(asset) ? world.order(asset, amounts[0]!) : undefined;
	if (order) await world.pay([order]);
	const movement = order ?? (await deposit(world, asset, amounts[0]!));
	world.later(world.between(2, 48) * HOUR, async () => {
		await world.quiet();
		await world.tell(order ? updateOf(order, status) : depositOf(movement, status));
		act(movement);
		const name = order?.id ?? movement.name;
		await world.mail('the alert', ({ subject, text }) => (subject + text).includes(name));
	});
}

/** With half of the payouts, the fee comes back too, and a person books it. */
async function comeBack(world: WorldOnN8n, command: Command): Promise<void> {
	await endedAs(world, command, isCoin(command.asset) ? 'failed' : 'reversed', (movement) => {
		const fee = isCoin(command.asset) && world.isRare(0.5) ? (movement as Payment).costs : 0n;
		world.moveSilently(command.asset, fee - movement.amount);
		if (fee > 0n) world.later(world.between(1, 2) * DAY, () => world.correct(movement, fee));
	});
}

/** The money does not come back, or stays. A person asks the service, and books it. */
async function contradict(world: WorldOnN8n, command: Command): Promise<void> {
	await endedAs(world, command, 'failed', (movement) => {
		world.later(world.between(1, 48) * HOUR, () => world.correct(movement, movement.amount));
	});
}

/** No money comes. Of a deposit to an account, the customer is not credited. */
async function denied(world: WorldOnN8n, { asset, amounts }: Command): Promise<void> {
	const claimed = world.movement(`dep_denied_${world.number()}`, asset, amounts[0]!);
	for (const status of ['failed', 'successful']) await world.tell(depositOf(claimed, status));
	const isTold = ({ subject, text }: { subject: string; text: string }) =>
		subject.startsWith('Not credited') && (subject + text).includes(claimed.name);
	if (!isCoin(asset)) await world.mail('that it is not credited', isTold);
	world.later(world.between(1, 48) * HOUR, () => world.correct(claimed, -claimed.amount));
}

/* Strangers. */

async function intrude(world: WorldOnN8n, { asset, amounts }: Command): Promise<void> {
	const { ledger, store } = world.stack.sandbox.service;
	const payment = world.order(asset, amounts[0]!);
	const [amount, started] = [textOf(-payment.amount, asset), Date.now()];
	const made = store.transaction(() =>
		isCoin(asset)
			? createCryptoPayout(ledger, { coin: asset, amount, wallet_alias: 'treasury' })
			: createFiatPayout(ledger, { currency: asset, amount, account_alias: 'supplier-main' }),
	);
	world.isMade(payment, made);
	// The service tells nothing of payouts to banks, and nobody knows their ID.
	Object.assign(payment, { isOurs: false, name: isCoin(asset) ? payment.id : '' });
	world.addFault('intrude', payment);
	if (!isCoin(asset)) return;
	const { figures } = world;
	figures.strangers += 1;
	await world
		.mail('the alarm', (mail) => isAlarm(mail) && mail.text.includes(payment.id))
		.catch(() => {
			figures.strangersNotTold += 1;
		});
	figures.slowestAlarm = Math.max(figures.slowestAlarm, Math.round((Date.now() - started) / 1000));
}
