import { killUnderLoad } from '../../bench/soak/sandbox.ts';

test('killed three times under load with --db: nothing that was acknowledged is lost', async () => {
	const figures = await killUnderLoad(3);
	expect(figures).toMatchObject({
		kills: 3,
		movementsLost: 0,
		movementsTwice: 0,
		balancesWrong: 0,
		deliveriesLost: 0,
		deliveriesOpen: 0,
	});
	expect(figures.acknowledged).toBeGreaterThan(50);
	expect(figures.events).toBeGreaterThan(25);
}, 120_000);
