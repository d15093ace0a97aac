/** The first lines of `bench/results.md`: what a user gains, what it costs, beside what. Their figures are in its tables. */

/** Words with a `#` for each figure, and where the figures are: section, table (if there are several), row and column. */
type Line = [words: string, ...places: string[]];

const GAINS: Line[] = [
	[
		"Deliveries, each verified: # times as many in a second as with n8n's Slack Trigger, which verifies too.",
		"Trigger | n8n's default settings | deliveries/s, ours to Slack Trigger | 8 clients",
	],
	[
		'Reads of 100 items, each signed: # times as many in a second as with a Code node that signs and HTTP Request.',
		'Action | Reads (POST /v1/fiat_balance) | items/s, ours to Code that signs + HTTP Request | 100 items',
	],
	[
		'The same reads: # times as many in a second as with a declarative node that signs nothing.',
		'Action | Reads (POST /v1/fiat_balance) | items/s, ours to Null Node | 100 items',
	],
	[
		'100 payouts, one at a time: # times as many in a second as with Loop Over Items and HTTP Request, which signs nothing.',
		'Action | Money calls (POST /v1/fiat_payout) | items/s, ours to Loop Over Items + HTTP Request | 100 items',
	],
	[
		"What the editor loads: # KB for each operation. n8n's Stripe node has # KB.",
		'Weight |  | KB of description for each operation, walletService | figure',
		'Weight |  | KB of description for each operation, stripe | figure',
	],
];

const COSTS: Line[] = [
	[
		'A delivery: # of the rate of a trigger that does nothing.',
		"Trigger | n8n's default settings | deliveries/s, ours to Null Trigger | 8 clients",
	],
	[
		'A delivery in queue mode, two processors and two workers: # of the rate of a trigger that does nothing.',
		'Queue mode | Deliveries in a second | deliveries/s in queue mode, ours to the null trigger | 2 of each',
	],
	[
		'A Payment Key in a list of 20: # ms a payment, # ms without a key. If the service answers after 200 ms: # and # ms.',
		'Payment Key | Time of a payment | a list of 20, ms a payment | 10,000 remembered',
		'Payment Key | Time of a payment | a list of 20, ms a payment | without a key',
		'Payment Key | Time of a payment | a list of 20, answers after 200 ms, ms a payment | 10,000 remembered',
		'Payment Key | Time of a payment | a list of 20, answers after 200 ms, ms a payment | without a key',
	],
	[
		'Memory after 20,000 deliveries: # MiB more than with a trigger that does nothing.',
		'Growth | Memory after 20,000 deliveries | MiB, ours above Null Trigger | in use',
	],
	["n8n's start: # ms to load the package.", 'Weight |  | ms to load the package | figure'],
];

/** `sections`: by title. */
export function summaryOf(sections: ReadonlyMap<string, string>): string {
	const listOf = (lines: Line[]) =>
		lines.map(([words, ...places]) => {
			const figures = places.map((place) => figureAt(sections, place));
			return `- ${words.replaceAll('#', () => figures.shift() || '(not measured)')}`;
		});
	return ['What you gain:', '', ...listOf(GAINS), '', 'What it costs:', '', ...listOf(COSTS)].join('\n');
}

/** The number in a cell. undefined if there is none. */
function figureAt(sections: ReadonlyMap<string, string>, place: string): string | undefined {
	const [section = '', table, row, column = ''] = place.split(' | ');
	const tables = (sections.get(section) ?? '').split(/^### /m);
	const text = table === '' ? tables[0] : tables.find((each) => each.startsWith(`${table}\n`));
	const lines = (text ?? '').split('\n').filter((line) => line.startsWith('|'));
	const [heading = [], ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()));
	const cell = rows.find(([, what]) => what === row)?.[heading.indexOf(column)];
	return cell?.split(' ')[0];
}
