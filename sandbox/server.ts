/** The sandbox on a socket of this machine: the one file that knows node:http. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createService } from './service.ts';
import type { Secrets, Service, ServiceSettings } from './service.ts';

export interface SandboxOptions extends Partial<Omit<ServiceSettings, 'database'>> {
	/** 0, the default: any free port. */
	port?: number;
	/** Where events are delivered from the start. */
	webhookUrl?: string;
	/** File of an SQLite database that keeps everything; in memory without it. */
	db?: string;
}

export interface Sandbox extends Secrets {
	/** Origin, such as http://127.0.0.1:4010; the base URL of the API. */
	url: string;
	service: Service;
	/** See Service. */
	idle(): Promise<void>;
	stop(): Promise<void>;
}

/** Bytes; more is refused. */
const LARGEST_BODY = 1_000_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, webhookUrl, db, ...settings } = options;
	// Imported where it is wanted, since it warns that it is experimental.
	const database = db === undefined ? undefined : new (await import('node:sqlite')).DatabaseSync(db);
	const service = createService({ ...settings, database });
	const server = createServer((incoming, outgoing) => void answer(service, incoming, outgoing));
	try {
		if (webhookUrl !== undefined) service.deliveries.register({ url: webhookUrl });
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

async function answer(service: Service, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
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
		const status = error instanceof BadRequest ? error.status : 500;
		outgoing.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
		outgoing.end((error as Error).message);
	}
}

/** What cannot even be made a Request. */
class BadRequest extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

async function readRequest(incoming: IncomingMessage): Promise<Request> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of incoming as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= LARGEST_BODY) chunks.push(chunk);
	}
	if (size > LARGEST_BODY) throw new BadRequest(413, `The body has more than ${LARGEST_BODY} bytes`);
	const { method = 'GET', url = '/', headers } = incoming;
	try {
		return new Request(`http://${headers.host}${url}`, {
			method,
			headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
			// A Request of these methods has none.
			body: method === 'GET' || method === 'HEAD' || size === 0 ? undefined : Buffer.concat(chunks),
		});
	} catch (error) {
		throw new BadRequest(400, (error as Error).message);
	}
}
