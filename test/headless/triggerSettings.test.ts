/** An expression can give any parameter of the trigger any value. What is not allowed is refused by the parameter's label. */
import type { INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { headless } from './harness.ts';
import type { Listener, ListenSetup } from './harness.ts';

const n8n = headless();
const open: Listener[] = [];

afterEach(async () => {
	for (const listener of open.splice(0)) await listener.close();
});

async function listen(parameters: INodeParameters, setup: Partial<ListenSetup> = {}) {
	const listener = await n8n.listen({
		type: 'walletServiceTrigger',
		...setup,
		parameters: { events: ['admin_funding'], verification: 'none', ...parameters },
	});
	open.push(listener);
	return listener;
}

let number = 0;
async function answerOf({ url }: Listener) {
	const body = JSON.stringify({
		event: 'admin_funding',
		id: `s${(number += 1)}`,
		status: 'ok',
		Amount: '10.00',
	});
	const headers = { 'content-type': 'application/json' };
	const answer = await request(url, { method: 'POST', body, headers });
	return { status: answer.statusCode, body: (await answer.body.json()) as { reason?: string } };
}

const NOT_READY = {
	status: 503,
	body: { ok: false, reason: 'This receiver cannot accept events at the moment' },
};
const EVENTS = /^Events is not a list of these values: settlement_wallet_update, .*admin_funding/;
const option = (name: string, value: string): INodeParameters => ({ options: { [name]: `={{ ${value} }}` } });

const REFUSED: Array<[INodeParameters, RegExp]> = [
	...['null', 'undefined', '5', '({ a: 1 })', '"admin_funding"', '"crypto_received,admin_funding"'].map(
		(value): [INodeParameters, RegExp] => [{ events: `={{ ${value} }}` }, EVENTS],
	),
	...[['admin_funding '], ['card_issued'], ['constructor'], [null], [5], [['admin_funding']]].map(
		(events): [INodeParameters, RegExp] => [{ events: events as string[] }, EVENTS],
	),
	...['false', '({ a: 1 })', '5', 'null', 'undefined', '[5]', '[null]'].flatMap(
		(value): Array<[INodeParameters, RegExp]> => [
			[option('statuses', value), /^Statuses is not text/],
			[option('currencies', value), /^Currencies is not text/],
		],
	),
	...['"true"', '"false"', '1', 'null', 'undefined', '({})', '[]'].flatMap(
		(value): Array<[INodeParameters, RegExp]> => [
			[option('unknownEvents', value), /^Unknown Events is neither true nor false/],
			[option('ignoreDuplicates', value), /^Ignore Duplicates is neither true nor false/],
			[option('includeRaw', value), /^Include Raw is neither true nor false/],
			[option('includeHeaders', value), /^Include Headers is neither true nor false/],
		],
	),
	...['["5"]', '({})', 'true', 'null', 'undefined', '9007199254740993', '1e-7', 'NaN', '"5,5"'].map(
		(value): [INodeParameters, RegExp] => [
			option('minimumAmount', value),
			/^Minimum Amount is not a decimal/,
		],
	),
	...['null', 'undefined', '"whenstored"', 'true'].map((value): [INodeParameters, RegExp] => [
		option('acknowledge', value),
		/^Acknowledge has an unknown value\. It must be one of whenStored, whenFinished/,
	]),
	...['null', 'undefined', '"None"', 'false', '"constructor"', '["none"]'].flatMap(
		(value): Array<[INodeParameters, RegExp]> => [
			[
				{ verification: `={{ ${value} }}` },
				/^Verification has an unknown value\. It must be one of none, credential/,
			],
			[{ output: `={{ ${value} }}` }, /^Output has an unknown value\. It must be one of single, perEvent/],
		],
	),
];

test.each(REFUSED)(
	'with %j the workflow cannot be published, and a delivery gets an error',
	async (parameters, message) => {
		await expect(listen(parameters)).rejects.toThrow(message);
		await expect(listen(parameters)).rejects.toThrow(/; correct it in the trigger$/);
		const listener = await listen(parameters, { activated: false });
		expect(await answerOf(listener)).toEqual(NOT_READY);
		expect(listener.started).toEqual([]);
		// The user who listens for a test event sees the reason.
		const tried = await listen(parameters, { activated: false, mode: 'manual' });
		expect(await answerOf(tried)).toEqual(NOT_READY);
		const [run] = await tried.runs();
		expect(run?.error?.message.replace('The trigger refused this delivery: ', '')).toMatch(message);
	},
);

test('an expression that fails is refused by the label of its parameter', async () => {
	const parameters = { events: '={{ $json.nothing.here() }}' };
	await expect(listen(parameters)).rejects.toThrow('The expression of Events cannot be evaluated');
	// n8n gives undefined for a delivery.
	expect(await answerOf(await listen(parameters, { activated: false }))).toEqual(NOT_READY);
});

test.each<[INodeParameters]>([
	[{ events: '={{ ["admin_funding"] }}' }],
	[{ options: '={{ ({}) }}' }],
	[option('statuses', '["OK", "other"]')],
	[option('statuses', '" ok , other"')],
	[option('currencies', '[]')],
	[option('minimumAmount', '5')],
	[option('minimumAmount', '9.5')],
	[option('minimumAmount', '-9007199254740991')],
	[option('minimumAmount', '" 10.00 "')],
	[option('unknownEvents', 'false')],
	[{ verification: '={{ "none" }}' }],
])('with %j a delivery starts the workflow', async (parameters) => {
	const listener = await listen(parameters);
	expect(await answerOf(listener)).toEqual({ status: 200, body: { ok: true } });
	expect(listener.started).toHaveLength(1);
});
