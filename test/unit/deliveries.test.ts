/** The memory by itself. What n8n does with it is in `test/headless/trigger-memory.test.ts` and in the soak. */

/** The memory of a new process. */
async function freshProcess() {
	jest.resetModules();
	return await import('../../nodes/WalletService/deliveries.ts');
}

/** What n8n stores. */
const viaDatabase = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

test('what static data had is known, and stays there', async () => {
	const before = await freshProcess();
	before.started('trigger', 'a', '');
	const stored = viaDatabase(before.started('trigger', 'b', ''));

	const { claim, started } = await freshProcess();
	expect(await claim('trigger', 'a', stored)).toBeUndefined();
	expect(await claim('other trigger', 'a', '')).toBeDefined();
	const next = viaDatabase(started('trigger', 'c', stored)) as string;
	expect(next.startsWith(stored as string)).toBe(true);
	expect(next).toHaveLength(48);
});

test('an execution that n8n takes up again without static data writes nothing and hides nothing', async () => {
	const before = await freshProcess();
	const stored = viaDatabase(before.started('trigger', 'a', ''));

	const { claim, started } = await freshProcess();
	expect(started('trigger', 'b', undefined)).toBeUndefined();
	expect(await claim('trigger', 'a', stored)).toBeUndefined();
	expect(await claim('trigger', 'b', stored)).toBeUndefined();
});

test('static data gets what is known when it is written', async () => {
	const { started } = await freshProcess();
	const staticData = started('trigger', 'a', '');
	started('trigger', 'b', '');
	expect(viaDatabase(staticData)).toHaveLength(32);
	// n8n watches static data for changes through proxies.
	expect(viaDatabase(new Proxy(staticData!, {}))).toHaveLength(32);
});

test('after 300,000 deliveries the latest 50,000 are known, and 2000 of them would be after a restart', async () => {
	const { claim, started } = await freshProcess();
	let staticData: unknown = '';
	for (let index = 0; index < 300_000; index += 1) {
		const settle = await claim('trigger', `e${index}`, '');
		settle!(true);
		staticData = started('trigger', `e${index}`, '');
	}
	expect(await claim('trigger', 'e250000', '')).toBeUndefined();
	expect(await claim('trigger', 'e100000', '')).toBeDefined();

	const after = await freshProcess();
	const stored = viaDatabase(staticData);
	expect(stored).toHaveLength(32_000);
	expect(await after.claim('trigger', 'e298000', stored)).toBeUndefined();
	expect(await after.claim('trigger', 'e297999', stored)).toBeDefined();
});
