/** What changes something and moves no money: checked first, one at a time, never twice in an execution, never "try again later". */
import { countOpen } from './withAnswer.ts';
import { resultOf, RETRYING, withNode } from './withNode.ts';

const { credentials, run, runAt, resultsOf, fault, asked, sandbox } = withNode();

const wallets = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { alias: `wallet-${index}` } }));
const ROUTE = 'POST /v1/create_wallet';
/** The third request is refused. */
const refuseThird = async () => {
	for (let passing = 0; passing < 2; passing += 1) await fault({ delayMs: 1 }, 1, ROUTE);
	await fault({ status: 422 }, 1, ROUTE);
};
const created = () =>
	sandbox.service.requests
		.all()
		.filter(({ status }) => status === 200)
		.map(({ body }) => (JSON.parse(body) as { alias: string }).alias);

const change = (id: string, fields: object): [string, object] => {
	const [resource, operation] = id.split('.');
	return [id, { resource, operation, ...fields }];
};
const CHANGES = [
	change('cryptoWallet.create', { alias: '={{ $json.alias }}' }),
	change('settlementWallet.create', { alias: 'a', address: 'T1' }),
	change('funding.submitProof', { pop: 'https://example.com/r.pdf' }),
	change('sandbox.adjustFiatBalance', { currency: 'NGN', amount: '1' }),
	change('sandbox.adjustCryptoBalance', { coin: 'USDT', amount: '1' }),
];
const [[, CREATE]] = CHANGES as [[string, object]];

test('of ten items whose third is refused, two are done, the others are not tried, and the error says so', async () => {
	await refuseThird();
	const { error } = await run(CREATE, { items: wallets(10) });
	expect(created()).toEqual(['wallet-0', 'wallet-1']);
	expect(asked()).toBe(3);
	expect(error?.message).toMatch(/^2 of 10 already done\. The service answered 422: .* \[item 3 of 10\]$/);
	expect(error?.description).toContain('Already done: item 1; item 2. Running again does this again.');
	expect(error?.description).toContain('Not tried: items 4 to 10.');
	expect(error?.description).toContain('The service refused this request. It changed nothing.');
	const executed = [{ itemIndex: 0 }, { itemIndex: 1 }];
	expect(error?.context).toMatchObject({ outcome: 'rejected', executed });
});

test('Retry On Fail does each item once, and "Retry execution" nothing that is not known', async () => {
	await refuseThird();
	const { items } = await run(CREATE, { items: wallets(5), settings: RETRYING });
	expect(items.flat().map(resultOf)).toEqual(Array(5).fill('done'));
	expect(created()).toEqual(wallets(5).map(({ json }) => json.alias));
	await refuseThird();
	const failed = await run({ ...CREATE, alias: '={{ $json.alias }}-b' }, { items: wallets(4) });
	expect((await failed.retry()).error?.message).toBe(
		'2 of 4 already done. Not sent because it is unknown whether the retried execution has done this [item 3 of 4]',
	);
	expect(created()).toHaveLength(7);
});

test('an invalid item keeps all from being sent', async () => {
	const items = [...wallets(2), { json: { alias: { no: 'text' } } }];
	const { error } = await run(CREATE, { items });
	expect(error?.description).toContain('Nothing was changed.');
	expect(await resultsOf(CREATE, { items })).toEqual(['notSent', 'notSent', 'notSent']);
	expect(asked()).toBe(0);
});

test('one request is open at a time', async () => {
	const counted = await countOpen('{"status":"success","alias":"a"}', async (baseUrl) => {
		const at = { items: wallets(5), credentials: { ...credentials, baseUrl } };
		expect(await resultsOf(CREATE, at)).toEqual(Array(5).fill('done'));
	});
	expect(counted).toEqual({ all: 5, most: 1 });
});

test.each(CHANGES)('%s: an unknown outcome is looked up, not repeated', async (_id, parameters) => {
	for (const answer of [undefined, { body: '{"status":"failed"}' }]) {
		const more = { items: wallets(1), settings: RETRYING };
		const { error, requests } = await runAt(parameters, answer, more);
		expect(error?.context).toMatchObject({ outcome: 'unknown' });
		expect(error?.description).toMatch(/Look it up at the service/);
		expect(error?.description).not.toMatch(/try again later/i);
		expect(requests).toBe(1);
	}
});

test('as a tool, it needs no limits, and the model reads what happened and what to do', async () => {
	const asTool = { type: 'walletServiceTool' };
	const called = async () => (await run({ ...CREATE, alias: 'by-model' }, asTool)).items.flat()[0]!.json;
	expect(await called()).toMatchObject({ result: 'done', message: 'The service has done this.' });
	await fault({ dropAfter: true }, 1, ROUTE);
	expect(await called()).toMatchObject({
		result: 'unknown',
		whatToDo: 'Stop. It may have been done. Do not call this tool again for this; ask a person.',
	});
	await fault({ status: 422 }, 1, ROUTE);
	expect(await called()).toMatchObject({ result: 'rejected', whatToDo: 'Tell the user.' });
});
