/** What each command does in the world in memory. */
import { DAY, HOUR, SECOND } from './clock.ts';
import type { Command, CommandName } from './commands.ts';
import { isCoin, textOf, type Asset } from './money.ts';
import { answered, asked, depositOf, updateOf, type Movement, type Payment } from './movement.ts';
import type { Item } from './rows.ts';
import { WorldInMemory as World } from './memory.ts';
import type { Acts } from './world.ts';

/** A world in which these commands will happen. */
export const worldOf = (random: () => number, commands: readonly Command[]): World =>
	new World(random).willLive(commands, ACTS);

const ACTS: Acts<World> = {
	pay,
	payList: pay,
	payAtReading: pay,
	refuse(world, { asset, amounts }) {
		const [writer, payment] = [world.run('pay once'), world.order(asset, amounts[0]!)];
		world.book([asked(payment)], writer);
		world.later(5 * SECOND, () => world.book([answered(payment, 'rejected')], writer));
	},
	receive: (world, { asset, amounts }) => void receive(world, asset, amounts[0]!),
	credit: (world, { asset, amounts }) => fund(world, asset, amounts[0]!),
	debit: (world, { asset, amounts }) => fund(world, asset, -amounts[0]!),
	convert,
	loseAnswer,
	kill,
	comeBack: (world, command) => (isCoin(command.asset) ? payoutComesBack : depositComesBack)(world, command),
	contradict: (world, command) => (isCoin(command.asset) ? payoutFails : depositFails)(world, command),
	denied,
	vanish(world, { asset, amounts }) {
		isMissing(world, 'vanish', world.movement('', asset, -amounts[0]!));
	},
	loseEvent(world, { asset, amounts }) {
		isMissing(world, 'loseEvent', world.movement(`dep_${world.number()}`, asset, amounts[0]!));
	},
	intrude(world, { asset, amounts }) {
		const payment = world.order(asset, amounts[0]!);
		payment.isOurs = false;
		world.make(payment);
		// The service tells nothing of payouts to banks, and nobody knows their ID.
		payment.name = isCoin(asset) ? payment.id : '';
		world.addFault('intrude', payment);
	},
};

function isMissing(world: World, name: CommandName, movement: Movement): void {
	world.move(movement);
	world.addFault(name, movement);
}

/* Payments. */

function pay(world: World, { asset, amounts }: Command): void {
	const payments = amounts.map((units) => world.order(asset, units));
	runList(world, payments, () => 'paid');
}

/** One execution: the rows before, the payments one after the other, and the rows after. */
function runList(world: World, payments: Payment[], resultOf: (payment: Payment) => string): void {
	const writer = world.run('pay once');
	const results = payments.map((payment) => [payment, resultOf(payment)] as const);
	world.book(payments.map(asked), writer);
	let wait = 0;
	for (const [payment, result] of results) {
		wait += world.between(1, 20) * SECOND;
		if (result === 'paid') world.later(wait, () => world.make(payment));
	}
	world.later(wait + 2 * SECOND, () => {
		const items = results.map(([payment, result]) => answered(payment, result));
		world.book(items, writer);
	});
}

function loseAnswer(world: World, { asset, amounts }: Command): void {
	const [payment, writer] = [world.order(asset, amounts[0]!), world.run('pay once')];
	const isMade = world.isRare(0.5);
	world.book([asked(payment)], writer);
	if (isMade) world.later(10 * SECOND, () => world.make(payment));
	world.later(1, () => world.book([answered(payment, 'unknown')], writer));
	world.later(world.between(0.1, 2) * DAY, () => decide(world, payment, isMade));
}

/** A person looks at the service, and answers the question of the workflow or types a row. */
function decide(world: World, payment: Payment, isMade: boolean): void {
	if (world.isRare(0.5)) return runList(world, [payment], () => (isMade ? 'alreadyPaid' : 'paid'));
	const { name: key, asset } = payment;
	const kind = isCoin(asset) ? 'crypto payout' : 'fiat payout';
	world.typed({ kind, key, asset, result: isMade ? 'paid' : 'notSent' });
}

/** n8n stops: some payments were made, and the answer of the last one is lost. Some hours later, the list is run again. */
function kill(world: World, { asset, amounts }: Command): void {
	const payments = amounts.map((units) => world.order(asset, units));
	const last = Math.floor(world.between(0, payments.length));
	world.book(payments.map(asked), world.run('pay once'));
	for (const [place, payment] of payments.slice(0, last + 1).entries())
		world.later((place + 1) * 10 * SECOND, () => world.make(payment));
	world.later(world.between(2, 20) * HOUR, () => {
		runList(world, payments, (payment) => {
			const place = payments.indexOf(payment);
			return place < last ? 'alreadyPaid' : place === last ? 'unknown' : 'paid';
		});
		world.later(world.between(1, 24) * HOUR, () => decide(world, payments[last]!, true));
	});
}

/** The payment comes back after its end. With half of them, the fee comes too, and a person books it. */
function payoutComesBack(world: World, { asset, amounts }: Command): void {
	const payment = world.order(asset, amounts[0]!);
	runList(world, [payment], () => 'paid');
	const comesBack = () => {
		if (!payment.isFinal) return world.later(HOUR, comesBack);
		const fee = world.isRare(0.5) ? payment.costs : 0n;
		world.move(payment, fee - payment.amount);
		world.deliver(updateOf(payment, 'failed'));
		if (fee > 0n) world.later(world.between(1, 2) * DAY, () => world.correct(payment, fee));
	};
	world.later(world.between(2, 48) * HOUR, comesBack);
}

/** A word of failure, and the money does not come back. A person asks the service, and books it. */
function payoutFails(world: World, { asset, amounts }: Command): void {
	const payment = world.order(asset, amounts[0]!);
	runList(world, [payment], () => 'paid');
	const fails = () => {
		if (!payment.isFinal) return world.later(HOUR, fails);
		world.deliver(updateOf(payment, 'failed'));
		world.later(world.between(1, 48) * HOUR, () => world.correct(payment, payment.amount));
	};
	world.later(HOUR, fails);
}

/* What comes in. */

/** A deposit is pending, then the money is there. `comes`: when its success is in the book. */
function receive(world: World, asset: Asset, units: bigint, comes?: (deposit: Movement) => void): void {
	const deposit = world.movement(`dep_${world.number()}`, asset, units);
	world.deliver(depositOf(deposit, 'pending'));
	// Few stay pending until the next day, and of few the balance has the money before the end.
	const wait = world.isRare(0.03) ? world.between(10, 40) * HOUR : world.between(2, 40);
	world.later(world.isRare(0.02) ? 0 : wait, () => world.move(deposit));
	world.later(wait, () => world.deliver(depositOf(deposit, 'successful'), () => comes?.(deposit)));
}

function depositComesBack(world: World, { asset, amounts }: Command): void {
	receive(world, asset, amounts[0]!, (deposit) =>
		world.later(world.between(2, 48) * HOUR, () => {
			world.move(deposit, -deposit.amount);
			world.deliver(depositOf(deposit, 'reversed'));
		}),
	);
}

/** A deposit that has failed is told to be successful, and no money comes. A person asks the service, and books it. */
function denied(world: World, { asset, amounts }: Command): void {
	const deposit = world.movement(`dep_${world.number()}`, asset, amounts[0]!);
	world.deliver(depositOf(deposit, 'failed'), () =>
		world.later(HOUR, () =>
			world.deliver(depositOf(deposit, 'successful'), () =>
				world.later(world.between(1, 48) * HOUR, () => world.correct(deposit, -deposit.amount)),
			),
		),
	);
}

function depositFails(world: World, { asset, amounts }: Command): void {
	receive(world, asset, amounts[0]!, (deposit) =>
		world.later(HOUR, () => {
			world.deliver(depositOf(deposit, 'failed'));
			world.later(world.between(1, 48) * HOUR, () => world.correct(deposit, deposit.amount));
		}),
	);
}

function fund(world: World, asset: Asset, amount: bigint): void {
	const funding = world.movement(`adm_${world.number()}`, asset, amount);
	const of = { direction: amount < 0n ? 'debit' : 'credit', assetClass: isCoin(asset) ? 'crypto' : 'fiat' };
	const event: Item = { event: 'admin_funding', id: funding.name, status: 'successful', asset, ...of };
	world.move(funding);
	world.deliver({ ...event, amount: textOf(amount < 0n ? -amount : amount, asset) });
}

/** In hundredths: of most conversions to NGN, the amount has more digits than the balance. */
const RATE = 154_267n;

function convert(world: World, { asset, amounts }: Command): void {
	const [units, key, writer] = [amounts[0]!, `CV-${world.number()}`, world.run('convert')];
	const [to, received]: [Asset, bigint] = isCoin(asset)
		? ['NGN', (units * RATE) / 100n]
		: ['USDT', (units * 100n) / RATE];
	const sides = [world.movement(key, asset, -units), world.movement(key, to, received)];
	for (const side of sides) world.move(side);
	const money = { from: asset, to, fromAmount: textOf(units, asset), toAmount: textOf(received, to) };
	const made = {
		transactionId: `itx_${key}`,
		contractId: 'ic_usdt_ngn',
		status: 'successful',
		result: 'paid',
	};
	world.later(3 * SECOND, () => {
		world.book([{ paymentKey: key, ...money, ...made }], writer);
	});
}
