/** Serves the sandbox on 127.0.0.1. The only file of the sandbox that uses node:http. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Refusal } from './refusal.ts';
import { createService } from './service.ts';
import type { Secrets, Service, ServiceSettings } from './service.ts';

export interface SandboxOptions extends Partial<Omit<ServiceSettings, 'database'>> {
	/** 0, the default, takes any free port. */
	port?: number;
	/** The initial webhook URL. */
	webhookUrl?: string;
	/** The header that carries a payment key to this sandbox; null or '': none. Left out: as in the database. */
	paymentKeyHeader?: string | null;
	/** SQLite file that keeps all records. Without it, records live in memory. */
	db?: string;
}

export interface Sandbox extends Secrets {
	/** Origin and base URL of the API, such as http://127.0.0.1:4010. */
	url: string;
	service: Service;
	/** Resolves when no settlement and no delivery is pending. */
	idle(): Promise<void>;
	stop(): Promise<void>;
}

/** In bytes. */
const MAX_BODY_SIZE = 1_000_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, webhookUrl, paymentKeyHeader, db, ...settings } = options;
	// Imported on demand, because the import prints a warning.
	const database = db === undefined ? undefined : new (await import('node:sqlite')).DatabaseSync(db);
	const service = createService({ ...settings, database });
	const server = createServer((incoming, outgoing) => void respond(service, incoming, outgoing));
	try {
		if (webhookUrl !== undefined) service.deliveries.register({ url: webhookUrl });
		if (paymentKeyHeader !== undefined) service.paymentKeys.header = paymentKeyHeader ?? '';
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	} catch (error) {
		await service.stop();
		throw error;
	}
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		...service.secrets,
		service,
		idle: () => service.idle(),
		stop: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
			await service.stop();
		},
	};
}

async function respond(service: Service, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
	try {
		const response = await service.handle(await readRequest(incoming));
		if (response.type === 'error') {
			incoming.socket.destroy();
			return;
		}
		outgoing.writeHead(response.status, Object.fromEntries(response.headers));
		if (response.headers.get('content-type') === 'text/event-stream') {
			await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
			return;
		}
		outgoing.end(Buffer.from(await response.arrayBuffer()));
	} catch (error) {
		if (outgoing.headersSent || outgoing.destroyed) return;
		const status = error instanceof Refusal ? error.status : 500;
		outgoing.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
		outgoing.end((error as Error).message);
	}
}

/** Throws a Refusal (400, 413) for an HTTP request that cannot become a Request, or is too large. */
async function readRequest(incoming: IncomingMessage): Promise<Request> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of incoming as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= MAX_BODY_SIZE) chunks.push(chunk);
	}
	if (size > MAX_BODY_SIZE) throw new Refusal(413, 'too_large', `The body has over ${MAX_BODY_SIZE} bytes`);
	const { method = 'GET', url = '/', headers } = incoming;
	try {
		return new Request(`http://${headers.host}${url}`, {
			method,
			headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
			// A Request with these methods cannot have a body.
			body: method === 'GET' || method === 'HEAD' || size === 0 ? undefined : Buffer.concat(chunks),
		});
	} catch (error) {
		throw new Refusal(400, 'invalid_request', (error as Error).message);
	}
}
