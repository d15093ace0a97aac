/** Outputs keep their places, kept headers hold no secret, and an answer says how the workflow ended. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { EVENTS } from '../../api/events.ts';
import { lacksHttps } from '../../nodes/WalletService/trigger/execution.ts';
import { answerWhenFinished, onAnswered } from '../../nodes/WalletService/trigger/http.ts';
import { HARMLESS_HEADERS, harmlessHeaders } from '../../nodes/WalletService/trigger/item.ts';
import { outputsOf, placeOnOutput } from '../../nodes/WalletService/trigger/outputs.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';

test.each([
	...EVENT_KINDS.map((event, place): [string, number] => [event, place]),
	['card_issued', 7],
	['toString', 7],
])('with Output "One per Event" the item of event %p is on the output %p of eight', (event, place) => {
	const outputs = placeOnOutput(['item'], event);
	expect(outputs).toEqual(Array.from({ length: 8 }, (_, index) => (index === place ? ['item'] : [])));
});

test('an event that is added takes the next output and moves no wire', () => {
	const added = { name: 'Card Issued', description: '', output: 8, fields: {} };
	// Wherever the row stands in the table.
	const outputs = outputsOf({ card_issued: added, ...EVENTS });
	const events = [...outputsOf(EVENTS).map(({ event }) => event), 'card_issued'];
	expect(outputs.map(({ output }) => output)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
	expect(outputs.map(({ event }) => event)).toEqual(events);
	for (const [place, event] of events.entries()) {
		const placed = placeOnOutput(['item'], event, outputs).map((items) => items.length);
		expect(placed).toEqual(outputs.map((_, index) => (index === place ? 1 : 0)));
	}
});

test.each([
	['http://n8n.example.com/', true],
	['http://localhost.example.com/', true],
	['', true],
	['https://n8n.example.com/', false],
	['http://127.0.0.1:5678/webhook/x', false],
	['http://[::1]:5678/', false],
])('the service cannot deliver to the address %p: %p', (address, expected) => {
	expect(lacksHttps(address)).toBe(expected);
});

test('only headers that are known to hold no secret are kept', () => {
	const harmless = { 'user-agent': 'a', 'content-type': 'b', 'x-request-id': 'c', 'x-forwarded-for': 'd' };
	const others = [
		...['authorization', 'cookie', 'proxy-authorization', 'verif-hash', 'x-callback-token', 'x-api-key'],
		...['x-svc-signature', 'stripe-signature', 'x-token', 'x-other', 'referer', 'constructor', '__proto__'],
	];
	const sent = { ...harmless, ...Object.fromEntries(others.map((name) => [name, 'secret'])) };
	expect(harmlessHeaders(sent)).toEqual(harmless);
	// The credential may name any header for its token.
	const { 'x-request-id': _, ...rest } = harmless;
	expect(harmlessHeaders(sent, 'x-request-id')).toEqual(rest);
});

test('docs/receive-events.md names the headers that are kept', () => {
	const [, table = ''] = readFileSync('docs/receive-events.md', 'utf8').split('| which are kept |');
	const [rows = ''] = table.split('\n\n');
	expect(rows.match(/[a-z-]+(?=`)/g)).toEqual(HARMLESS_HEADERS);
});

/** The part of an Express response that answers use. */
class Response extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	body: unknown;
	status(code: number) {
		this.statusCode = code;
		return this;
	}
	json(body: unknown) {
		this.body = body;
		return this;
	}
}

const FAILED = { ok: false, reason: 'The workflow did not succeed' };

test.each([
	['the data of the last node', 200, [{ secret: 1 }], 200, { ok: true }],
	['that it could not begin', 200, { message: 'Workflow could not be started' }, 500, FAILED],
	['that it stops', 503, { message: 'shutting down' }, 503, FAILED],
])(
	'When Finished: if n8n answers with %s and %p, the status is right and no data leaves',
	(_, said, data, status, body) => {
		const response = new Response();
		answerWhenFinished(response as never);
		response.status(said).json(data);
		expect([response.statusCode, response.body]).toEqual([status, body]);
	},
);

test('a claim ends also if the sender had hung up before', async () => {
	const response = new Response();
	const status = new Promise((resolve) =>
		onAnswered(Object.assign(response, { destroyed: true }) as never, resolve),
	);
	response.writableEnded = true;
	expect(await status).toBe(200);
});

test('a claim ends once, although Node.js reports the end of an answer twice', () => {
	const response = new Response();
	const statuses: number[] = [];
	onAnswered(response as never, (status) => statuses.push(status));
	response.writableEnded = true;
	response.emit('finish');
	response.status(500).emit('close');
	expect(statuses).toEqual([200]);
});
