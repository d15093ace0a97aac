/** An expression can give any parameter of the trigger any value. What is not allowed is refused by the parameter's label. */
import type { INodeParameters } from 'n8n-workflow';
import type { Listener } from './harness.ts';
import { deliver, NOT_READY, STARTED, withTrigger } from './withTrigger.ts';

const listen = withTrigger();

let number = 0;
const answerOf = async (listener: Listener) =>
	await deliver(listener, { event: 'admin_funding', id: `s${(number += 1)}`, status: 'ok', Amount: '10.00' });

const EVENTS = /^Events is not a list of these values: settlement_wallet_update, .*admin_funding/;
/** Each of these values as the expression of a parameter, or of an option. */
const of = (name: string, ...values: string[]) => values.map((value) => ({ [name]: `={{ ${value} }}` }));
const option = (...given: Parameters<typeof of>): INodeParameters[] =>
	of(...given).map((options) => ({ options }));

const REFUSED: Array<[RegExp, INodeParameters[]]> = [
	// It would acknowledge and forget everything. The editor does not allow it.
	[/^Events is empty/, [{ events: [] }]],
	[EVENTS, of('events', 'undefined', '"admin_funding"', '["constructor"]', '[["admin_funding"]]')],
	[/^Statuses is not text/, option('statuses', 'null', '[null]')],
	[/^Currencies is not text/, option('currencies', '({})')],
	[/^Unknown Events is neither true nor false/, option('unknownEvents', '"yes"', 'undefined')],
	[/^Ignore Duplicates is neither true nor false/, option('ignoreDuplicates', 'null')],
	[/^With Raw Delivery is neither true nor false/, option('includeRaw', '({})')],
	[/^With Headers is neither true nor false/, option('includeHeaders', '[]')],
	[/^Minimum Amount is not a decimal/, option('minimumAmount', 'true', '9007199254740993', '1e-7', '"5,5"')],
	[
		/^Respond has an unknown value\. .* whenStored, whenFinished/,
		option('acknowledge', 'null', '"whenstored"'),
	],
	[
		/^Verification has an unknown value\. .* none, credential/,
		of('verification', 'null', '"constructor"', '["none"]'),
	],
	[/^Output has an unknown value\. It must be one of single, perEvent/, of('output', 'undefined')],
	[/^The expression of Events cannot be evaluated/, [{ events: '={{ $json.nothing.here() }}' }]],
	// n8n drops what it gives, and the filters with it.
	[/^The expression of Options cannot be evaluated/, [{ options: '={{ ({ statuses: "successful" }) }}' }]],
];

test.each(REFUSED.flatMap(([message, all]) => all.map((parameters) => ({ parameters, message }))))(
	'with $parameters the workflow cannot be published, and a delivery gets an error',
	async ({ parameters, message }) => {
		const publishing = listen({ parameters });
		await expect(publishing).rejects.toThrow(message);
		await expect(publishing).rejects.toThrow(/; correct it in the trigger$/);
		const listener = await listen({ parameters, activated: false });
		expect(await answerOf(listener)).toEqual(NOT_READY);
		expect(listener.started).toEqual([]);
	},
);

test('the user who listens for a test event sees what is not allowed', async () => {
	const tried = await listen({ parameters: { events: '={{ 5 }}' }, activated: false, mode: 'manual' });
	expect(await answerOf(tried)).toEqual(NOT_READY);
	const [run] = await tried.runs();
	expect(run?.error?.message.replace('The trigger refused this delivery: ', '')).toMatch(EVENTS);
});

test.each<INodeParameters>([
	{ events: '={{ ["admin_funding"] }}' },
	...option('statuses', '["OK", "other"]', '" ok , other"', '" , "'),
	...option('currencies', '[]'),
	...option('minimumAmount', '9.5', '-9007199254740991', '" 10.00 "'),
	...option('unknownEvents', 'false'),
	{ verification: '={{ "none" }}' },
])('with %j a delivery starts the workflow', async (parameters) => {
	const listener = await listen({ parameters });
	expect(await answerOf(listener)).toEqual(STARTED);
	expect(listener.started).toHaveLength(1);
});
