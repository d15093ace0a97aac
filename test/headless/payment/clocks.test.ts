/** A person sets the clock, or the machine sleeps, after a key was taken: nothing goes out twice. paymentKeys.test.ts has all times. */
import { until } from '../../../host/until.ts';
import { MemoryCredentials } from '../memoryCredentials.ts';
import { ageKeys, timing } from '../memoryProcessedItems.ts';
import { BY_KEY, CONTINUED, keyed, resultOf, withNode } from '../withNode.ts';

const { run, payByKey, fault, accepted, asked } = withNode();

const TEN_MINUTES = 600_000;
const JUMPS: Array<[string, number]> = [
	['set ten minutes forward, or the machine sleeps for ten', TEN_MINUTES],
	['set ten minutes back', -TEN_MINUTES],
];

const pay = async (ifOutcomeIsUnknown = 'doNotPay') =>
	(await payByKey([keyed('a')], { ifOutcomeIsUnknown }))[0]!;
const result = async (decision?: string) => resultOf(await pay(decision));
/** The decision that is given until it acts. Time passes by both clocks. */
const decide = async (decision: string) => {
	for (let rounds = 0; rounds < 3; rounds += 1) {
		ageKeys();
		const said = await result(decision);
		if (said !== 'unknown') return said;
	}
	throw new Error('The decision does not act');
};

describe.each(JUMPS)('if the clock is %s', (_, jump) => {
	const setClock = () => (timing.set = jump);

	/** Each of these is before the request goes out. */
	test.each<[string, () => void]>([
		[
			'when the key is taken',
			() => {
				timing.fail = (kind, place) => {
					if (kind === 'ask' && place.includes(' used ')) setClock();
					return undefined;
				};
			},
		],
		[
			'when n8n signs the request',
			() => {
				// n8n does this before it signs.
				const prepareSigning = jest.spyOn(MemoryCredentials.prototype, 'preAuthentication');
				prepareSigning.mockImplementationOnce(async () => {
					setClock();
					await Promise.resolve();
				});
			},
		],
	])('%s, nothing is sent, and it is paid once when somebody says so', async (__, prepare) => {
		prepare();
		const item = await pay();
		jest.restoreAllMocks();
		expect(resultOf(item)).toBe('notSent');
		expect(item.json.error).toMatchObject({
			message:
				'Not sent because the clock of this machine was set, or the machine has slept, before the request',
			description: expect.stringContaining('Check the clock'),
		});
		expect(asked()).toBe(0);
		for (const decision of ['doNotPay', 'wasNotPaid']) expect(await result(decision)).toBe('unknown');
		expect(asked()).toBe(0);
		expect(await decide('wasNotPaid')).toBe('paid');
		expect(await result()).toBe('alreadyPaid');
		expect(accepted()).toEqual(['10']);
	});

	test('while the request is under way, no decision acts beside it', async () => {
		await fault({ delayMs: 2000 });
		const options = { ...BY_KEY, requestOptions: { timeout: 1500 } };
		const paying = run(options, { ...CONTINUED, items: [keyed('a')] });
		await until('the request', () => asked() === 1 || undefined);
		setClock();
		expect((await paying).items.flat().map(resultOf)).toEqual(['unknown']);
		for (const decision of ['wasNotPaid', 'wasPaid', 'doNotPay'])
			expect((await pay(decision)).json).toMatchObject({
				result: 'unknown',
				error: { decideFrom: expect.any(String) },
			});
		expect(asked()).toBe(1);
		expect(await decide('wasPaid')).toBe('alreadyPaid');
		expect(accepted()).toEqual(['10']);
	});
});
