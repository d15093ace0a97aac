/** Node's environment of a test file. When a test fails, it shows what is to be seen then, before the next test changes it. */
import { TestEnvironment } from 'jest-environment-node';
import type { ShownWhenFailed } from './whenFailed.ts';

export default class extends TestEnvironment {
	async handleTestEvent(event: { name: string; test?: { name: string } }): Promise<void> {
		if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
		const name = event.test?.name ?? 'hook';
		const { shownWhenFailed = [] } = this.global as ShownWhenFailed;
		for (const show of shownWhenFailed) {
			const shown = await Promise.resolve(name).then(show).catch(String);
			process.stderr.write(`When “${name}” failed: ${shown}\n`);
		}
	}
}
