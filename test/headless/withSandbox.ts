import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts';

interface Started {
	sandbox: Sandbox;
	/** The credential's fields that differ from their defaults. */
	credentials: Record<string, string>;
}

/** Starts one sandbox for the tests of a file, passes it to `use` and stops it after the last test. */
export const withSandbox = (use: (started: Started) => void, options?: SandboxOptions): void => {
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
		const { url, key, secret } = sandbox;
		use({ sandbox, credentials: { baseUrl: url, apiKey: key, signatureSecret: secret } });
	});
	afterAll(async () => await sandbox?.stop());
};
