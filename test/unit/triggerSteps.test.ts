/** Kept headers hold no secret, and an answer says how the workflow ended. */
import { readFileSync } from 'node:fs';
import { NodeHelpers, WEBHOOK_RESOLVERS } from 'n8n-workflow';
import { HARMLESS_HEADERS, harmlessHeaders } from '../../nodes/WalletServiceTrigger/item.ts';
import { quoted } from '../../nodes/WalletServiceTrigger/log.ts';
import { NOTICES } from '../../nodes/WalletServiceTrigger/messages.ts';
import { lacksHttps } from '../../nodes/WalletServiceTrigger/request.ts';
import { acknowledgement, answerWhenFinished, onAnswered } from '../../nodes/WalletServiceTrigger/respond.ts';
import { WalletServiceTrigger } from '../../nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts';
import type { WebhookResponse } from '../../nodes/WalletServiceTrigger/respond.ts';

test('a service can deliver to https and to this machine only', () => {
	for (const address of ['http://n8n.example.com/', 'http://localhost.example.com/', ''])
		expect([address, lacksHttps(address)]).toEqual([address, true]);
	const here = ['http://localhost:5678/', 'http://127.0.0.1:5678/webhook/x', 'http://[::1]:5678/'];
	for (const address of ['https://n8n.example.com/', ...here])
		expect([address, lacksHttps(address)]).toEqual([address, false]);
});

test('only headers that are known to hold no secret are kept', () => {
	const harmless = { 'user-agent': 'a', 'content-type': 'b', 'x-request-id': 'c', 'x-forwarded-for': 'd' };
	const others = [
		'authorization',
		'cookie',
		'proxy-authorization',
		'verif-hash',
		'x-callback-token',
		'x-api-key',
		'x-svc-signature',
		'stripe-signature',
		'x-token',
		'x-other',
		'referer',
		'constructor',
		'__proto__',
	];
	const sent = { ...harmless, ...Object.fromEntries(others.map((name) => [name, 'secret'])) };
	expect(harmlessHeaders(sent)).toEqual(harmless);
	// The credential may name any header for its token.
	const { 'x-request-id': _, ...rest } = harmless;
	expect(harmlessHeaders(sent, 'x-request-id')).toEqual(rest);
});

test('docs/set-up/receive-events.md names the headers that are kept', () => {
	const [, table = ''] = readFileSync('docs/set-up/receive-events.md', 'utf8').split('| which are kept |');
	const [rows = ''] = table.split('\n\n');
	expect(rows.match(/[a-z-]+(?=`)/g)).toEqual(HARMLESS_HEADERS);
});

/** The part of an Express response that answers use. */
class Response implements WebhookResponse {
	statusCode = 200;
	body: unknown;
	status(code: number) {
		this.statusCode = code;
		return this;
	}
	end = () => this;
	json(body: unknown) {
		this.body = body;
		return this.end();
	}
}

const FAILED = { ok: false, reason: 'The workflow did not succeed' };

test.each([
	['the data of the last node', 200, [{ secret: 1 }], 200, { ok: true }],
	['that it could not begin', 200, { message: 'Workflow could not be started' }, 500, FAILED],
	['that it stops', 503, { message: 'shutting down' }, 503, FAILED],
])(
	'When Workflow Finishes, n8n answers with %s: no data leaves, and the claim hears the status',
	(_, said, data, status, body) => {
		const response = new Response();
		const statuses: number[] = [];
		onAnswered(response, (last) => statuses.push(last));
		answerWhenFinished(response);
		expect(statuses).toEqual([]);
		response.status(said).json(data);
		expect([response.body, statuses]).toEqual([body, [status]]);
	},
);

test.each([
	[{}, 'onReceived'],
	[{ options: { acknowledge: 'whenStored' } }, 'onReceived'],
	[{ options: { acknowledge: 'whenFinished' } }, 'lastNode'],
])('with the parameters %j n8n answers as %s', (parameters, mode) => {
	expect(acknowledgement[WEBHOOK_RESOLVERS].responseMode.resolve(parameters)).toBe(mode);
});

test.each([
	['x'.repeat(60), `'${'x'.repeat(60)}'`],
	['x'.repeat(61), `'${'x'.repeat(60)}…'`],
	['a\u0007\u001b[31m é', "'a\\u0007\\u001b[31m \\u00e9'"],
])("a sender's words %j are logged as %s", (words, text) => expect(quoted(words)).toBe(text));

test('the form says that waiting is answered with 200, if Respond is When Workflow Finishes', () => {
	const { description } = new WalletServiceTrigger();
	const isShown = (options: object) => {
		const values = { verification: 'none', options } as never;
		const notices = description.properties.filter(({ type }) => type === 'notice');
		const shown = notices.filter((notice) => NodeHelpers.displayParameter(values, notice, null, description));
		return shown.some(({ displayName }) => displayName === NOTICES.waiting);
	};
	expect(NOTICES.waiting).toMatch(/begins to wait.* with 200/);
	expect([{ acknowledge: 'whenFinished' }, { acknowledge: 'whenStored' }, {}].map(isShown)).toEqual([
		true,
		false,
		false,
	]);
});
