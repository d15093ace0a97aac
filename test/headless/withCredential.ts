import type { SandboxOptions } from '../../sandbox/server.ts';
import { withSandbox } from '../sandbox/withSandbox.ts';
import type { TestSandbox } from '../sandbox/withSandbox.ts';

interface Started {
	sandbox: TestSandbox;
	/** The credential's fields that differ from their defaults. */
	credentials: Record<string, string>;
}

/** Starts one sandbox for the tests of a file and passes it to `use` with the fields of its credential. */
export function withCredential(use: (started: Started) => void, options?: SandboxOptions): void {
	const sandbox = withSandbox(options, { once: true });
	beforeAll(() => {
		const { url, key, secret } = sandbox;
		use({ sandbox, credentials: { baseUrl: url, apiKey: key, signatureSecret: secret } });
	});
}
