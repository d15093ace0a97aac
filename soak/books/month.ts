/** A month of the world on the real n8n, which is killed ten times. */
import { startTemporaryStack, type Stack } from '../../host/stack.ts';
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import { publishBookPayer } from '../../host/testkit/book.ts';
import { randomNumbers } from '../../host/testkit/random.ts';
import { drawMonth, type Month } from '../../host/world/commands.ts';
import { ASSETS } from '../../host/world/money.ts';
import { liveMonth, type Answer } from '../../host/world/mornings.ts';
import { reportFigures, type Soak } from '../shared/figures.ts';
import { ACTS } from './actsOnN8n.ts';
import { QUIET } from './asFunctions.ts';
import { WorldOnN8n } from './onN8n.ts';

const EXAMPLES = ['pay-once', 'convert-at-rate', 'reconcile-each-morning', 'deposit-arrives'];
/** Of each asset. */
const LONG: Month = { days: 30, readAt: QUIET, counts: { kill: 5, loseAnswer: 10, intrude: 3 } };
const SHORT: Month = { ...LONG, days: 6, share: 0.3, counts: { kill: 3, loseAnswer: 7 } };

const TARGETS = [
	'falseAlarmsTooMany',
	'wronglyNamed',
	'largeHidden',
	'strangersNotTold',
	'strangersToldTwice',
	'falseAlarmsByMail',
];

/** Of calm mornings: two payments of different runs may have an open end at once, and no rule tries each pair. */
const MOST_FALSE_ALARMS = 0.034;

export const booksMonth: Soak = async ({ short }) => {
	const stack = await startTemporaryStack({ examples: EXAMPLES });
	try {
		await live(stack, short ? SHORT : LONG);
	} finally {
		await stack.stop();
	}
};

async function live(stack: Stack, month: Month): Promise<void> {
	const random = randomNumbers();
	const payer = await publishBookPayer(stack, 'Pays for a month');
	await stack.control('PUT', '/settings', { settleAfterMs: 1500 });
	for (const asset of ASSETS) {
		await stack.control('POST', '/admin_funding', { asset, amount: '100000000', direction: 'credit' });
	}
	const world = new WorldOnN8n(random, stack, payer).willLive(drawMonth(random, month), ACTS);
	const { figures, mistakes } = await liveMonth(world, month, () => reconcile(stack));
	for (const mistake of mistakes) process.stderr.write(`${inWords(mistake)}\n`);
	const hidden = mistakes.filter(({ faults, verdict }) => faults.length > 0 && verdict !== 'not explained');
	const isLarge = hidden.filter(({ faults }) =>
		faults.some(({ movement: { moved } }) => moved > 10_000_000n || moved < -10_000_000n),
	);
	const most = Math.max(1, Math.floor(MOST_FALSE_ALARMS * figures.calm));
	const falseAlarmsTooMany = Math.max(0, figures.falseAlarms - most);
	const all = { ...figures, ...world.figures, falseAlarmsTooMany, largeHidden: isLarge.length };
	reportFigures('A month of books', all, TARGETS);
}

async function reconcile({ client, example }: Stack): Promise<Answer> {
	const morning = succeeded(await client.runByHand(example('reconcile-each-morning').id, 'Every morning'));
	return itemsOf(morning, 'Reconcile')[0] as unknown as Answer;
}

const inWords = (mistake: object) =>
	JSON.stringify(mistake, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), '\t');
