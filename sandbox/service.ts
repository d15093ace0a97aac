/**
 * The sandbox as a pure function from request to answer, with no socket: `/v1` as the API document says, its own
 * controls under `/_sandbox`, a page at `/` and the contract at `/openapi.json`.
 */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { EndpointId } from '../api/endpoints.ts';
import { constantTimeEqual } from '../api/signature/hmac.ts';
import { signedHeaders } from '../api/signature/requestSigning.ts';
import type { VerificationSettings } from '../api/signature/settings.ts';
import { control } from './controls.ts';
import type { ControlContext } from './controls.ts';
import { Deliveries } from './deliveries.ts';
import { Faults, applyFault } from './faults.ts';
import { HANDLERS } from './handlers.ts';
import type { Handler } from './handlers.ts';
import { isLoopback } from './loopback.ts';
import { openApi } from './openapi.ts';
import { pageFile } from './page.ts';
import { notFound, Refusal } from './refusal.ts';
import { RequestLog } from './requestLog.ts';
import { check, parseBody } from './requests.ts';
import { ROUTES } from './routes.ts';
import { Store } from './store.ts';
import { Tasks } from './tasks.ts';
import { Timing } from './timing.ts';
import type { TimingSettings } from './timing.ts';
import { Ledger } from './ledger.ts';

export interface ServiceSettings extends Partial<TimingSettings> {
	/** Random where they are not given; those of the database where it has some. */
	key?: string;
	secret?: string;
	webhookSecret?: string;
	/** How deliveries are signed, where it differs from the credential's defaults for HMAC. */
	webhookSigning?: Partial<VerificationSettings>;
	/** Where records are kept; in memory without it. Taken over and closed. */
	database?: DatabaseSync;
	/** How many API requests `/_sandbox/requests` remembers. */
	requestLogLength?: number;
	/** Milliseconds since 1970. */
	now?: () => number;
	randomHex?: (bytes: number) => string;
}

export interface Secrets {
	key: string;
	/** Of the signature of requests. */
	secret: string;
	/** Of the signature of deliveries. */
	webhookSecret: string;
}

export interface Service extends Pick<ControlContext, 'ledger' | 'deliveries' | 'faults' | 'requests'> {
	secrets: Secrets;
	/** `Response.error()` stands for a connection that is closed without an answer. */
	handle(request: Request): Promise<Response>;
	/** Resolves when nothing more happens by itself: payouts are settled, deliveries are through. */
	idle(): Promise<void>;
	stop(): Promise<void>;
}

const NOTE = 'This shape is made up: the API document gives this endpoint’s name only.';

/** Seconds; the document does not show it. */
const TIMESTAMP_TOLERANCE = 300;

export function createService(settings: ServiceSettings): Service {
	const {
		requestLogLength = 1000,
		now = Date.now,
		randomHex = (bytes: number) => randomBytes(bytes).toString('hex'),
	} = settings;
	const store = new Store(settings.database);
	const kept = store.table<string>('secrets');
	const keep = (name: keyof Secrets) => {
		const value = settings[name] ?? kept.get(name) ?? randomHex(24);
		kept.put(name, value);
		return value;
	};
	const secrets: Secrets = {
		key: keep('key'),
		secret: keep('secret'),
		webhookSecret: keep('webhookSecret'),
	};
	const timing = new Timing(store, settings);
	const tasks = new Tasks();
	const faults = new Faults();
	const requests = new RequestLog(requestLogLength);
	const deliveries = new Deliveries(store, tasks, {
		signing: {
			webhookVerification: 'hmac',
			webhookHeader: 'x-svc-signature',
			webhookSecret: secrets.webhookSecret,
			...settings.webhookSigning,
		},
		timing: () => timing.current,
		now,
		randomHex,
	});

	const settleLater = ({ payout_id }: { payout_id: string }) => {
		const { settleAfterMs } = timing.current;
		if (settleAfterMs === null) return;
		tasks.start(async (signal) => {
			await tasks.sleep(settleAfterMs, signal);
			if (ledger.payouts.get(payout_id)?.status !== 'pending') return;
			ledger.setPayoutStatus(payout_id, 'successful');
			store.commit();
		});
	};
	const ledger = new Ledger({ store, now, randomHex, settleLater, emit: (event) => deliveries.add(event) });
	store.commit();
	const settlePending = () => {
		for (const payout of ledger.payouts.all()) if (payout.status === 'pending') settleLater(payout);
	};
	// Those whose time a restart interrupted.
	settlePending();

	const context: ControlContext = {
		ledger,
		deliveries,
		faults,
		requests,
		timing,
		setTiming: (given) => {
			const set = timing.set(given);
			if (given.settleAfterMs !== undefined) settlePending();
			return set;
		},
		secrets,
		changes: () => changeStream(store),
		reset: async () => {
			await tasks.stop();
			deliveries.clear();
			faults.clear();
			requests.clear();
			ledger.reset();
		},
	};

	const serveApi = async (request: Request, url: URL): Promise<Response> => {
		const body = await readText(request);
		const logged = requests.add(request, body, ledger.time());
		const route = `${request.method} ${url.pathname}`;
		const act = () => {
			const answer = answering(() => {
				checkRoute(route, url.pathname);
				authenticate(secrets, { request, url, body, now: now() });
				return callHandler(route, request, body, ledger);
			});
			store.commit();
			return answer;
		};
		const fault = faults.take(route);
		const answer = fault === undefined ? act() : await applyFault(fault, act, tasks);
		logged.status = answer.status;
		return answer;
	};

	const serveControls = async (request: Request, url: URL): Promise<Response> => {
		try {
			refuseStrangers(request, url);
			return await control(context, request.method, url, await readText(request));
		} catch (error) {
			return refusal(error);
		} finally {
			store.commit();
		}
	};

	return {
		secrets,
		ledger,
		deliveries,
		faults,
		requests,
		handle: async (request) => {
			try {
				const url = new URL(request.url);
				if (url.pathname.startsWith('/v1/')) return await serveApi(request, url);
				if (url.pathname.startsWith('/_sandbox/')) return await serveControls(request, url);
				if (request.method === 'GET') {
					refuseStrangers(request, url);
					if (url.pathname === '/openapi.json') return Response.json(openApi(url.origin));
					const file = pageFile(url.pathname);
					if (file !== undefined) return file;
				}
				throw notFound(`There is nothing at ${url.pathname}`);
			} catch (error) {
				return refusal(error);
			}
		},
		idle: () => tasks.idle(),
		stop: async () => {
			await tasks.stop();
			await deliveries.stop();
			store.close();
		},
	};
}

/** Milliseconds between two events of a stream. */
const STREAM_INTERVAL = 100;

/** Server-sent events: one at the start and one soon after any commits, which says no more than that. */
function changeStream(store: Store): Response {
	let timer: NodeJS.Timeout | undefined;
	let stop = () => {};
	const stream = new ReadableStream<Uint8Array>({
		start(controller) {
			const tell = () => {
				timer = undefined;
				controller.enqueue(Buffer.from('data: changed\n\n'));
			};
			stop = store.onCommit(() => {
				timer ??= setTimeout(tell, STREAM_INTERVAL).unref();
			});
			tell();
		},
		cancel() {
			stop();
			clearTimeout(timer);
		},
	});
	return new Response(stream, {
		headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
	});
}

function checkRoute(route: string, path: string): void {
	if (ROUTES.has(route)) return;
	const [allowed] = ['GET', 'POST'].filter((method) => ROUTES.has(`${method} ${path}`));
	if (allowed === undefined) throw notFound(`There is no endpoint ${path}`);
	throw new Refusal(405, 'method_not_allowed', `${path} takes ${allowed} only`);
}

/** The three headers ("Authentication"), by the credential's default settings. */
function authenticate(
	{ key, secret }: Secrets,
	{ request, url, body, now }: { request: Request; url: URL; body: string; now: number },
): void {
	const unauthorized = (header: string, message: string) =>
		new Refusal(401, 'unauthorized', `${header} ${message}`, header);
	const sent = (header: string) => {
		const value = request.headers.get(header);
		if (value === null || value === '') throw unauthorized(header, 'is missing');
		return value;
	};
	const [sentKey, signature, timestamp] = ['x-svc-key', 'x-svc-signature', 'x-svc-timestamp'].map(sent);
	if (!constantTimeEqual(sentKey, key)) throw unauthorized('x-svc-key', 'is not the key of this sandbox');
	if (!/^\d{12,14}$/.test(timestamp)) throw unauthorized('x-svc-timestamp', 'is not in Unix milliseconds');
	const expected = signedHeaders(
		{
			serviceName: 'svc',
			apiKey: key,
			timestampFormat: 'unixMilliseconds',
			signatureMethod: 'hmac',
			signatureSecret: secret,
		},
		{ method: request.method, url, body },
		timestamp,
	);
	if (!constantTimeEqual(signature, expected['x-svc-signature'])) {
		throw unauthorized('x-svc-signature', 'does not fit the request and the secret of this sandbox');
	}
	if (Math.abs(now - Number(timestamp)) > TIMESTAMP_TOLERANCE * 1000) {
		throw unauthorized('x-svc-timestamp', `is more than ${TIMESTAMP_TOLERANCE} seconds away`);
	}
}

function callHandler(route: string, request: Request, body: string, ledger: Ledger): unknown {
	const { id, undocumented, request: schema } = ROUTES.get(route)!;
	const type = request.headers.get('content-type')?.split(';')[0].trim().toLowerCase();
	if (body !== '' && type !== 'application/json') {
		throw new Refusal(415, 'unsupported_media_type', 'Content-Type must be application/json', 'content-type');
	}
	const fields = check(schema, parseBody(body));
	// The schema and the handler of a route are of the same id, which the types cannot follow through a map.
	const result = (HANDLERS[id] as Handler<EndpointId>)(fields as never, ledger) as object;
	return undocumented ? { ...result, sandbox_note: NOTE } : result;
}

/** Loopback only: neither another name for this address (DNS rebinding) nor a page from elsewhere may use the controls. */
function refuseStrangers(request: Request, url: URL): void {
	const origin = request.headers.get('origin');
	const originHost = origin === null ? 'localhost' : URL.canParse(origin) ? new URL(origin).hostname : '';
	if (isLoopback(url.hostname) && isLoopback(originHost)) return;
	throw new Refusal(403, 'forbidden', 'The controls of the sandbox can be used from this machine only');
}

async function readText(request: Request): Promise<string> {
	try {
		// Fatal, and with its byte order mark: the text stands for exactly the bytes received.
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await request.arrayBuffer());
	} catch {
		throw new Refusal(400, 'invalid_request', 'The body is not UTF-8 text');
	}
}

function answering(run: () => unknown): Response {
	try {
		return Response.json(run());
	} catch (error) {
		return refusal(error);
	}
}

function refusal(error: unknown): Response {
	if (!(error instanceof Refusal)) throw error;
	return Response.json(error.body, { status: error.status });
}
