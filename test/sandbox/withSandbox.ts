import { startWebhookReceiver, type WebhookReceiver } from '../fixtures/webhookReceiver.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts';

/** The sandbox of the running test. Its properties are read when a test uses them, so do not destructure it earlier. */
interface TestSandbox extends Sandbox {
	/** Replaces the sandbox by a new one. These options override the original ones. */
	restart(options?: SandboxOptions): Promise<void>;
}

interface Lifetime {
	/** One sandbox for all tests of the file, instead of one for each test. */
	once?: boolean;
}

/** Starts a sandbox before each test and stops it afterwards. */
export function withSandbox(options: SandboxOptions = {}, lifetime: Lifetime = {}): TestSandbox {
	return register(() => options, lifetime);
}

/** The same, with a webhook receiver that the sandbox delivers to. */
export function withSandboxAndReceiver(
	options: SandboxOptions = {},
	lifetime: Lifetime = {},
): { sandbox: TestSandbox; receiver: WebhookReceiver } {
	const [before, after] = hooks(lifetime);
	const receiver = {} as WebhookReceiver;
	before(async () => void Object.assign(receiver, await startWebhookReceiver()));
	// Jest runs these hooks in this order, so the sandbox stops before its receiver.
	const sandbox = register(() => ({ webhookUrl: receiver.url, ...options }), lifetime);
	after(() => receiver.stop());
	return { sandbox, receiver };
}

function register(options: () => SandboxOptions, lifetime: Lifetime): TestSandbox {
	const [before, after] = hooks(lifetime);
	const sandbox = {} as TestSandbox;
	const start = async (overrides: SandboxOptions = {}) =>
		void Object.assign(sandbox, await startSandbox({ ...options(), ...overrides }));
	sandbox.restart = async (overrides) => {
		await sandbox.stop();
		await start(overrides);
	};
	before(() => start());
	after(() => sandbox.stop());
	return sandbox;
}

function hooks({ once = false }: Lifetime) {
	return once ? ([beforeAll, afterAll] as const) : ([beforeEach, afterEach] as const);
}
