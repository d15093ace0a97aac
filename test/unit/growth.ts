/** Whether the time of some work grows with its size, and not with its square: the same on a slow machine and on a busy one. */

const TIMES = 8;
/** What grows with the square takes 64 times as long. */
const MOST = 30;
/** Milliseconds. What takes less is measured badly. */
const SHORT = 15;

/** Milliseconds of this process, because other programs run at the same time. */
export async function processorTimeOf(work: () => unknown): Promise<number> {
	const begun = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1000;
}

/** `prepare` gives the work of a size. What it does itself is not measured. */
export async function expectGrowthWith(
	size: number,
	prepare: (size: number) => () => unknown,
): Promise<void> {
	// The first run is slow, because the code was not compiled.
	await prepare(size)();
	let few = Infinity;
	for (let tries = 0; tries < 3; tries += 1) few = Math.min(few, await processorTimeOf(prepare(size)));
	const limit = MOST * Math.max(few, SHORT);
	let many = Infinity;
	for (let tries = 0; tries < 5 && many >= limit; tries += 1)
		many = Math.min(many, await processorTimeOf(prepare(TIMES * size)));
	expect(many).toBeLessThan(limit);
}
