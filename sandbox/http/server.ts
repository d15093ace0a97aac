/** Serves the sandbox on 127.0.0.1. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { ServerType } from '@hono/node-server';
import { createApp } from './app.ts';
import { createService } from '../machine/service.ts';
import type { Service, ServiceOptions } from '../machine/service.ts';
import type { Secrets } from '../machine/settings.ts';

export interface SandboxOptions extends ServiceOptions {
	/** 0, the default, takes any free port. */
	port?: number;
}

export interface Sandbox extends Secrets {
	/** Origin and base URL of the API, such as http://127.0.0.1:4010. */
	url: string;
	service: Service;
	/** Resolves when no settlement and no delivery is pending. */
	idle(): Promise<void>;
	stop(): Promise<void>;
}

export async function startSandbox({ port = 0, ...options }: SandboxOptions = {}): Promise<Sandbox> {
	const service = createService(options);
	let server: ServerType;
	try {
		const address = { port, hostname: '127.0.0.1' };
		// The process may be a test or n8n's launcher, whose global Request must stay as it is.
		// On a busy machine, a client may use a connection at the instant at which the server closes it.
		const serverOptions = { keepAliveTimeout: 60_000 };
		const { fetch } = createApp(service);
		server = serve({ fetch, overrideGlobalObjects: false, serverOptions, ...address });
		await once(server, 'listening');
	} catch (error) {
		await service.stop();
		throw error;
	}
	const { key, secret, webhookSecret } = service.settings.current;
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		key,
		secret,
		webhookSecret,
		service,
		idle: () => service.tasks.idle(),
		stop: async () => {
			const closed = once(server, 'close');
			server.close();
			if ('closeAllConnections' in server) server.closeAllConnections();
			await closed;
			await service.stop();
		},
	};
}
