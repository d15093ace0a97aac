/**
 * What several test files need. Each `use…` starts something before the tests of the file or describe block that calls it,
 * and stops it after them. Its properties are there from the first test on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startModel } from '../../host/doubles/scriptedModel.ts';
import { startProxy } from '../../host/doubles/proxy.ts';
import { KEEP_EXECUTIONS, startTemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import { CREDENTIAL_TYPE, startTemporaryStack } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { startStackOnShared } from './sharedN8n.ts';

/** The sandbox and n8n with the package. This n8n is shared with other test files, so it may not be stopped. */
export const useStack = () => use(startStackOnShared);

/** The sandbox and an n8n that this test file may stop and kill. */
export const useOwnStack = (start: () => Promise<Stack> = startTemporaryStack) => use(start);

/** Such an n8n alone, without a sandbox. It keeps all executions. */
export const useOwnN8n = () => use(() => startTemporaryN8n(KEEP_EXECUTIONS));

/** The scripted model for AI agents. */
export const useModel = () => use(startModel);

/** A proxy in front of the sandbox, and the id of a credential that points to it. */
export const useProxy = (stack: Stack) =>
	use(async () => {
		const proxy = await startProxy(stack.sandbox.url);
		const credentialId = await saveCredential(stack, 'Proxied', { baseUrl: proxy.url });
		return { proxy, credentialId, stop: proxy.stop };
	});

/** What happens in the next minute happens on one day. n8n has the time zone of this process. */
export async function awayFromMidnight(): Promise<void> {
	const now = new Date();
	const left = new Date(now).setHours(24, 0, 0, 0) - now.getTime();
	if (left < 60_000) await sleep(left);
}

/** Saves a credential that differs from the stack's own in these fields. Returns its id. */
export function saveCredential({ client, credential }: Stack, name: string, fields: object): Promise<string> {
	return client.saveCredential(CREDENTIAL_TYPE, name, { ...credential.data, ...fields });
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
