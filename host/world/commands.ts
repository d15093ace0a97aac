/** What happens in a month, as data: it is drawn once, and played as functions, headless or on a real n8n. */
import { DAY, HOUR } from './clock.ts';
import { ASSETS, isCoin, type Asset } from './money.ts';

/** Of a day and an asset. */
const BUSINESS = {
	/** A payment of its own. */
	pay: 9,
	/** Several payments in one execution. */
	payList: 2,
	/** A payment that the service refuses. */
	refuse: 1,
	receive: 17,
	credit: 1,
	debit: 1,
	convert: 1,
};

/** Of a month and an asset. What a person has to look at, and what the book tells or will tell. */
const TROUBLE = {
	/** The answer of a payment is lost: it was made, or not. */
	loseAnswer: 6,
	/** n8n stops in the middle of a list, which is run again later. */
	kill: 3,
	/** A payout or deposit comes back, and the money with it. */
	comeBack: 3,
	/** The service says that a payment has failed, and the money stays away. */
	contradict: 1,
	/** The service says that a deposit has failed, then that it was successful, and no money comes. */
	denied: 1,
	/** Payments that are under way when the balance is read. */
	payAtReading: 6,
};

/** Of a month and an asset. What no row tells, until a person books it. */
const FAULTS = {
	/** Money vanishes. */
	vanish: 5,
	/** The event of a deposit never comes. */
	loseEvent: 2,
	/** Somebody else pays with the key of the service. */
	intrude: 1,
};

export type CommandName = keyof typeof BUSINESS | keyof typeof TROUBLE | keyof typeof FAULTS;

export interface Command {
	name: CommandName;
	asset: Asset;
	/** Without a sign, in millionths. */
	amounts: bigint[];
	/** Minutes since the month began. */
	minute: number;
}

export interface Month {
	days: number;
	/** The minute of the day when balances are read. */
	readAt: number;
	/** How much of the usual business there is; of each kind something on each day. */
	share?: number;
	/** How often something goes wrong, of a month and an asset, in place of the usual. */
	counts?: Partial<Record<CommandName, number>>;
}

/** Business is from eight to eight. */
const [OPENS, CLOSES] = [8 * HOUR, 20 * HOUR];

/** The commands of a month, in the order of time. The first day has a reading and nothing before it. */
export function drawMonth(random: () => number, { days, readAt, share = 1, counts = {} }: Month): Command[] {
	const commands: Command[] = [];
	const between = (from: number, to: number) => from + random() * (to - from);
	for (const asset of ASSETS) {
		const add = (name: CommandName, day: number, at: number) => {
			const amounts = amountsOf(name, asset, random);
			if (day * DAY + at > readAt) commands.push({ name, asset, amounts, minute: day * DAY + at });
		};
		for (let day = 0; day < days; day += 1)
			for (const [name, count] of Object.entries(BUSINESS))
				for (let left = Math.max(1, Math.round(share * count * between(0.8, 1.2))); left > 0; left -= 1)
					add(name as CommandName, day, between(OPENS, CLOSES));
		const inMonth = (usual: object, at: (name: string) => number) => {
			for (const [name, count] of Object.entries({ ...usual, ...picked(counts, usual) }))
				for (let left = Math.ceil((count * days) / 30); left > 0; left -= 1)
					add(name as CommandName, Math.floor(random() * days), at(name));
		};
		inMonth(TROUBLE, (name) => (name === 'payAtReading' ? readAt - between(0, 1) : between(OPENS, CLOSES)));
		inMonth(FAULTS, () => between(0, DAY));
	}
	return commands.sort((a, b) => a.minute - b.minute);
}

const picked = (counts: object, usual: object) =>
	Object.fromEntries(Object.entries(counts).filter(([name]) => name in usual)) as Record<string, number>;

/** Round amounts that come again and again, in whole units. */
const ROUND = { NGN: [5_000, 10_000, 25_000, 50_000, 100_000], USDT: [100, 250, 500, 1_000, 2_000] };
const LARGEST = { NGN: 400_000, USDT: 2_500 };

function amountsOf(name: CommandName, asset: Asset, random: () => number): bigint[] {
	const round = () => BigInt(ROUND[asset][Math.floor(random() * 5)]! * 1_000_000);
	const smallest = isCoin(asset) ? 1n : 10_000n;
	const any = () => BigInt(Math.ceil(random() * LARGEST[asset] * (isCoin(asset) ? 1e6 : 100))) * smallest;
	const usual = () => (random() < 1 / 3 ? round() : any());
	const some = (least: number, most: number) => {
		const count = least + Math.floor(random() * (most - least + 1));
		// A list of wages.
		const all = random() < 1 / 3 ? round() : undefined;
		return Array.from({ length: count }, () => all ?? usual());
	};
	if (name === 'payList' || name === 'kill') return some(3, 6);
	if (name === 'payAtReading') return some(1, 3);
	if (name !== 'vanish') return [usual()];
	// Losses of each size: the smallest unit, a fee, some fees, a usual amount, more than all others.
	const sizes = [smallest, 1_000_000n, 3_000_000n, usual(), usual(), any() + 10n * round()];
	return [sizes[Math.floor(random() * sizes.length)]!];
}
