/**
 * Prints the milliseconds of processor time that the trigger takes to read long bodies and to make their identities, and what
 * JSON.parse takes for a plain list of 1 MB, as JSON: `{ plain, times: [{ name, kilobyte, megabyte }] }`.
 */
import { toItem } from '../../nodes/WalletServiceTrigger/item.ts';
import { isTooLarge, parseDelivery } from '../../nodes/WalletServiceTrigger/parse.ts';
import { identityOf } from '../../nodes/WalletServiceTrigger/once/identity.ts';

const KB = 1000;
const MB = 2 ** 20 - 200;

/** What a sender can repeat in a body: it multiplies the work of a slow function. */
const PIECES = ['0,', '1e-9999,', '0.1234567890123456789,', '{},', '"a",', '{"a":1},', '[[0]],'].map(
	(piece) => [`a list of ${piece}`, (size: number) => `[${piece.repeat(size / piece.length)}0]`] as const,
);
const RUNS = ['0', '1 ', 'a,', '\\u0041', '\\"', 'é', '-', '1e', '{', '['].map(
	(run) => [`a text of ${run}`, (size: number) => `"${run.repeat(size / Buffer.byteLength(run))}"`] as const,
);
const NUMBERS = [
	['a number of nines', (size: number) => '9'.repeat(size)],
	['0.00…1', (size: number) => `0.${'0'.repeat(size)}1`],
	['1.00…0', (size: number) => `1.${'0'.repeat(size)}`],
	['an exponent of nines', (size: number) => `1e${'9'.repeat(size)}`],
	['an exponent of zeros', (size: number) => `1e-${'0'.repeat(size)}`],
	['an open list of lists', (size: number) => '['.repeat(size)],
	['keys', (size: number) => `{${Array.from({ length: size / 10 }, (_, i) => `"k${i}":0`).join()}}`],
	...[1, 2_000_000].map(
		(step) =>
			[
				`keys that are numbers, by ${step}`,
				(size: number) =>
					`{${Array.from({ length: Math.min(size / 10, 1980) }, (_, i) => `"${i * step}":0`).join()}}`,
			] as const,
	),
	[
		'1,900 values and a text',
		(size: number) => `[${'{"a":0},'.repeat(Math.min(size / 9, 900))}"${'x'.repeat(size)}"]`,
	],
] as const;
/** Fields of several kinds, and one that the document does not name. */
const FIELDS = ['Amount sent', 'fee', 'coin', 'x'];

type Make = (size: number) => string;

function timeOf(make: Make, size: number): number {
	const value = make(size);
	const bodies = FIELDS.map((name) => `{"event":"crypto_payout_update","${name}":${value},"z":1}`);
	bodies.push(`{"event":"settlement_wallet_update","Asset Supported":${value}}`);
	const buffers = bodies.map((body) => Buffer.from(body));
	return processorTime(() => buffers.forEach(read)) / bodies.length;
}

function processorTime(work: () => void): number {
	const begun = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1000;
}

function read(body: Buffer): void {
	if (isTooLarge(body)) return;
	const parsed = parseDelivery(body);
	if (typeof parsed === 'string') return;
	const { deliveryKey } = identityOf(parsed);
	toItem(parsed, new Date(0), { deliveryKey, includeRaw: true });
}

/** The shortest of several times, because compiling and collecting garbage take time, too. One below the limit is enough. */
function shortestTimeOf(make: Make, size: number, times: number, limit: number): number {
	let shortest = Infinity;
	for (let tries = 0; tries < times && shortest >= limit; tries += 1)
		shortest = Math.min(shortest, timeOf(make, size));
	return shortest;
}

const list = `[${'0.5,'.repeat(2 ** 18)}0]`;
const plain = Math.min(...Array.from({ length: 40 }, () => processorTime(() => void JSON.parse(list))));
const times = [...PIECES, ...RUNS, ...NUMBERS].map(([name, make]) => ({
	name,
	kilobyte: shortestTimeOf(make, KB, 40, plain),
	megabyte: shortestTimeOf(make, MB - 20_000, 10, 15 * plain),
}));
process.stdout.write(JSON.stringify({ plain, times }));
