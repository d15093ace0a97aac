import { killUnderLoad } from '../../soak/runs/sandboxKills.ts';

test('a sandbox with --db that is killed three times under load loses nothing that it acknowledged', async () => {
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
