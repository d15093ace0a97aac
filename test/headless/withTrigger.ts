import { createHmac } from 'node:crypto';
import { send } from '../../host/http.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import { headless, type Listener, type ListenSetup } from './harness.ts';

export const SECRET = 'fake-webhook-secret';
/** A trigger that verifies deliveries, and a credential that does so in the default style. */
export const VERIFIED = {
	parameters: { verification: 'credential' },
	credentials: { webhookSecret: SECRET },
};

export const sign = (text: string, secret = SECRET) => ({
	'x-svc-signature': createHmac('sha256', secret).update(text).digest('hex'),
});

export const STARTED = { status: 200, body: { ok: true } };
export const IGNORED = { status: 200, body: { ok: true, ignored: true } };
export const NOT_READY = {
	status: 503,
	body: { ok: false, reason: 'This receiver cannot accept events at the moment' },
};
export const refused = (status: number, reason: string) => ({ status, body: { ok: false, reason } });

let events = 0;
/** A new deposit. The trigger remembers deliveries longer than a listener lives. */
export const credited = (fields: object = {}) => ({
	event: 'virtual_account_credited',
	id: `vc_${(events += 1)}`,
	status: 'successful',
	currency: 'NGN',
	Amount: '100.00',
	...fields,
});
const textOf = (body: string | object) => (typeof body === 'string' ? body : JSON.stringify(body));

/** Delivers a body, and returns status and body of the answer. */
export async function deliver(
	{ url }: Pick<Listener, 'url'>,
	body: string | Buffer | object,
	headers: Record<string, string> = {},
	signal?: AbortSignal,
) {
	const content = Buffer.isBuffer(body) ? body : textOf(body);
	const all = { 'content-type': 'application/json', ...headers };
	const { status, text } = await send(url, 'POST', content, all, signal);
	return { status, body: JSON.parse(text) as Record<string, unknown> };
}

/** Activates triggers for all events that verify nothing, unless a set-up says otherwise. They stop after each test. */
export function withTrigger() {
	const ours = headless();
	const open: Listener[] = [];
	afterEach(async () => {
		for (const listener of open.splice(0)) await listener.close();
	});
	return async (setup: Partial<ListenSetup> = {}, n8n = ours) => {
		const listener = await n8n.listen({
			type: 'walletServiceTrigger',
			...setup,
			parameters: { events: EVENT_KINDS, verification: 'none', ...setup.parameters },
		});
		open.push(listener);
		const post = async (body: string | Buffer | object, headers?: Record<string, string>) =>
			await deliver(listener, body, headers);
		return { ...listener, post };
	};
}
