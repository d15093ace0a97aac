/** Book: Reconcile, by stories with rows, balances and times: nodes/WalletServiceDesk/book/reconcile. */
import { mornings } from './reconcileDays.ts';
import { NINE, openingsOf, OURS } from './reconcileStories.ts';

describe.each([
	['the nine stories', NINE],
	['our own', OURS],
])('%s', (_name, stories) => {
	test.each(stories)('$name', (story) => {
		const days = mornings(story.asset ?? 'NGN', openingsOf(story), story.days, story.settings);
		const told = days.map(({ told: { verdict, difference, since } }) =>
			`${verdict} ${difference} ${since}`.trim(),
		);
		expect(told).toEqual(story.expected);
	});
});
