import { startWebhookReceiver, type WebhookReceiver } from '../fixtures/webhookReceiver.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/http/server.ts';

/** The sandbox of the running test. Its properties are read when a test uses them, so do not destructure it earlier. */
interface TestSandbox extends Sandbox {
	/** Replaces the sandbox by a new one. These options override the original ones. */
	restart(options?: SandboxOptions): Promise<void>;
}

const hooks = ({ once = false }) =>
	once ? ([beforeAll, afterAll] as const) : ([beforeEach, afterEach] as const);

/** Starts a sandbox before each test, or `once` before all tests of the file, and stops it afterwards. */
export function withSandbox(
	options: SandboxOptions | (() => SandboxOptions) = {},
	lifetime: { once?: boolean } = {},
): TestSandbox {
	const [before, after] = hooks(lifetime);
	const sandbox = {} as TestSandbox;
	const start = async (overrides: SandboxOptions = {}) => {
		const given = typeof options === 'function' ? options() : options;
		Object.assign(sandbox, await startSandbox({ ...given, ...overrides }));
	};
	sandbox.restart = async (overrides) => {
		await sandbox.stop();
		await start(overrides);
	};
	before(() => start());
	after(() => sandbox.stop());
	return sandbox;
}

/** The same, with a webhook receiver that the sandbox delivers to. */
export function withSandboxAndReceiver(options: SandboxOptions = {}, lifetime: { once?: boolean } = {}) {
	const [before, after] = hooks(lifetime);
	const receiver = {} as WebhookReceiver;
	before(async () => void Object.assign(receiver, await startWebhookReceiver()));
	// Jest runs these hooks in this order, so the sandbox stops before its receiver.
	const sandbox = withSandbox(() => ({ webhookUrl: receiver.url, ...options }), lifetime);
	after(() => receiver.stop());
	return { sandbox, receiver };
}
