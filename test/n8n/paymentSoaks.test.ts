/** Short forms of the bench and the soaks of Payment Key. Other tests run at the same time, so no assertion depends on speed. */
import { measure, SHORT } from '../../bench/keyBench.ts';
import { prepare } from '../../bench/shared/payments/payer.ts';
import { Report } from '../../bench/results.ts';
import { payWithHeader } from '../../soak/payments/header.ts';
import { payAndKill } from '../../soak/payments/kills.ts';
import { SHORT_HEADER, SHORT_KILLS } from '../../soak/payments/situations.ts';
import { useOwnStack } from './setup.ts';

jest.setTimeout(300_000);

const stack = useOwnStack();

beforeAll(async () => await prepare(stack.sandbox));

test('the key bench: each payment is made, and each paid key is known when it runs again', async () => {
	const report = new Report({ title: 'Payment Key', how: '' });
	await measure(stack, report, SHORT);
	const [rerun, ...payments] = report.rows.toReversed();
	expect(payments).toHaveLength(2 * SHORT.lists.length + 1);
	for (const { values } of report.rows) {
		// The rate without a key is not compared with itself.
		const figures = values.filter((value) => !Number.isNaN(value));
		expect(figures.length).toBeGreaterThanOrEqual(SHORT.remembered.length);
		for (const figure of figures) expect(figure).toBeGreaterThan(0);
	}
	expect(rerun?.values).toHaveLength(SHORT.rerun.remembered.length);
});

test('a service that honours the header of the key pays once what is sent again, and in the end all is paid', async () => {
	expect((await payWithHeader(stack, SHORT_HEADER)).misses).toEqual([]);
});

// It leaves n8n killed, so it is the last one.
test('after kills nothing is paid twice, nothing unpaid says that it is paid, and what is unknown can be settled', async () => {
	await stack.control('PUT', '/payment_key_header', { header: null });
	expect((await payAndKill(stack, SHORT_KILLS)).misses).toEqual([]);
});
