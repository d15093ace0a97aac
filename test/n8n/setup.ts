/**
 * What several test files need. Each `use…` starts something before the tests of the file or describe block that calls it,
 * and stops it after them. Its properties are there from the first test on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startModel } from '../../host/doubles/scriptedModel.ts';
import { startProxy } from '../../host/doubles/proxy.ts';
import type { Stack } from '../../host/stack.ts';
import { forgetDay, type MayHaveQueue } from '../../host/testkit/payments.ts';
import { saveOther } from '../../host/testkit/workflows.ts';
import { whenFailed } from '../whenFailed.ts';
import { startStackOnShared } from './sharedN8n.ts';

/** The sandbox and n8n with the package and these examples. This n8n is shared with other test files, so it may not be stopped. */
export const useStack = (...examples: string[]) => useOwnStack(() => startStackOnShared(examples));

/** The sandbox and an n8n that this test file may stop and kill. A test that fails shows the end of n8n's log. */
export function useOwnStack<S extends Stack>(start: () => Promise<S>): S {
	const stack = use(start);
	whenFailed(() => `n8n's log ends with\n${stack.n8n.log().split('\n').slice(-LAST_LINES).join('\n')}`);
	return stack;
}
const LAST_LINES = 20;

/** The scripted model for AI agents. */
export const useModel = () => use(startModel);

/** A proxy in front of the sandbox, and a credential that points to it. */
export const useProxy = (stack: Stack) =>
	use(async () => {
		const proxy = await startProxy(stack.sandbox.url);
		const credentials = await saveOther(stack, 'Proxied', { baseUrl: proxy.url });
		return { proxy, credentials, stop: proxy.stop };
	});

/** Before each test, the service is as it was at first, the mailbox is empty, and nobody has let anything go out today. */
export function renewForEachTest(stack: Stack & MayHaveQueue): void {
	beforeEach(async () => {
		await stack.control('POST', '/reset');
		stack.mailbox.mails.splice(0);
		await forgetDay(stack);
	});
}

/** What happens in the next minute happens on one day. n8n has the time zone of this process. */
export async function awayFromMidnight(): Promise<void> {
	const now = new Date();
	const left = new Date(now).setHours(24, 0, 0, 0) - now.getTime();
	if (left < 60_000) await sleep(left);
}

function use<T extends { stop: () => Promise<void> }>(start: () => Promise<T>): T {
	const started = {} as T;
	beforeAll(async () => {
		// Not with their values, because a restart replaces n8n.
		Object.defineProperties(started, Object.getOwnPropertyDescriptors(await start()));
	});
	afterAll(async () => {
		await (started as Partial<T>).stop?.();
	});
	return started;
}
