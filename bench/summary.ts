/** The first lines of `bench/results.md`: what a user gains, what it costs, beside what. They are made of figures in its tables. */

/** Title of the section, heading of the table (empty if it has none), first cell of the row. */
type Place = [section: string, table: string, row: string];

interface Line {
	/** Begins the line, and stands alone while its figures are not measured. */
	what: string;
	places: Place[];
	/** The first number of each figure, in their order. */
	say: (...numbers: string[]) => string;
}

const GAINS: Line[] = [
	{
		what: 'Deliveries, each verified',
		places: [['Trigger', '8 clients', 'deliveries/s, ours to Slack Trigger']],
		say: (ratio) => `${ratio} times as many in a second as with n8n's Slack Trigger, which verifies too`,
	},
	{
		what: 'Reads of 100 items, each signed',
		places: [
			['Action', 'Reads (POST /v1/fiat_balance): 100 items', 'ours to Code that signs + HTTP Request'],
		],
		say: (ratio) => `${ratio} times as many in a second as with a Code node that signs and HTTP Request`,
	},
	{
		what: 'The same reads',
		places: [['Action', 'Reads (POST /v1/fiat_balance): 100 items', 'ours to Null Node']],
		say: (ratio) => `${ratio} times as many in a second as with a declarative node that signs nothing`,
	},
	{
		what: '100 payouts, one at a time',
		places: [
			['Action', 'Money calls (POST /v1/fiat_payout): 100 items', 'ours to Loop Over Items + HTTP Request'],
		],
		say: (ratio) =>
			`${ratio} times as many in a second as with Loop Over Items and HTTP Request, which signs nothing`,
	},
	{
		what: 'What the editor loads',
		places: [
			['Weight', '', 'description of walletService, per operation'],
			['Weight', '', 'description of stripe, per operation'],
		],
		say: (ours, stripe) => `${ours} KB for each operation; n8n's Stripe node ${stripe} KB`,
	},
];

const COSTS: Line[] = [
	{
		what: 'A delivery',
		places: [['Trigger', '8 clients', 'deliveries/s, ours to Null Trigger']],
		say: (ratio) => `${ratio} of the rate of a trigger that does nothing`,
	},
	{
		what: 'A delivery in queue mode, two processors and two workers',
		places: [
			[
				'Queue mode',
				'2 webhook processors and 2 workers against one process',
				'deliveries in queue mode, ours to the null trigger',
			],
		],
		say: (ratio) => `${ratio} of the rate of a trigger that does nothing`,
	},
	{
		what: 'A Payment Key in a list of 20',
		places: [
			['Payment Key', 'A list of 20; the service answers at once', 'with a key, 1,000 remembered'],
			['Payment Key', 'A list of 20; the service answers at once', 'without a key'],
			['Payment Key', 'A list of 20; the service answers after 200 ms', 'with a key, 1,000 remembered'],
			['Payment Key', 'A list of 20; the service answers after 200 ms', 'without a key'],
		],
		say: (key, none, slowKey, slowNone) =>
			`${key} ms a payment, ${none} ms without a key; if the service answers after 200 ms, ${slowKey} and ${slowNone} ms`,
	},
	{
		what: 'Memory after 20,000 deliveries',
		places: [['Growth', 'Memory of n8n after 20,000 deliveries', 'in use, ours above Null Trigger']],
		say: (more) => `${more} MiB more than with a trigger that does nothing`,
	},
	{
		what: "n8n's start",
		places: [
			['Weight', '', 'time to load the package'],
			['Weight', '', "n8n's whole start, s"],
		],
		say: (milliseconds, seconds) => `${milliseconds} ms to load the package, of ${seconds} s in all`,
	},
];

/** `sections`: by title. */
export function summaryOf(sections: ReadonlyMap<string, string>): string {
	const lineOf = ({ what, places, say }: Line) => {
		const numbers = places.map((place) => numberAt(sections, place));
		const isMeasured = numbers.every((number) => number !== undefined);
		return `- ${what}: ${isMeasured ? say(...numbers) : 'not measured yet'}.`;
	};
	return `What you gain:\n\n${GAINS.map(lineOf).join('\n')}\n\nWhat it costs:\n\n${COSTS.map(lineOf).join('\n')}`;
}

/** The first number of the figure in a row. */
function numberAt(sections: ReadonlyMap<string, string>, [section, table, row]: Place): string | undefined {
	const tables = (sections.get(section) ?? '').split(/^### /m);
	const text = table === '' ? tables[0] : tables.find((each) => each.startsWith(`${table}\n`));
	const line = text?.split('\n').find((each) => each.startsWith(`| ${row} | `));
	return /-?\d[\d,.]*/.exec(line?.slice(`| ${row} | `.length) ?? '')?.[0];
}
