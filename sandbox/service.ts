/**
 * The sandbox as a function from request to response, without a socket: the API under `/v1`, the controls under
 * `/_sandbox`, a page at `/` and the OpenAPI document at `/openapi.json`.
 */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { SETTINGS } from '../api/signature/settings.ts';
import type { VerificationSettings } from '../api/signature/settings.ts';
import type { ControlContext } from './controls.ts';
import { Deliveries } from './deliveries.ts';
import { Faults } from './faults.ts';
import type { Ledger } from './ledger/ledger.ts';
import { setPayoutStatus } from './ledger/payouts.ts';
import { openLedger, resetLedger } from './ledger/state.ts';
import { requireLoopback } from './loopback.ts';
import { openApi } from './openapi.ts';
import { pageFile } from './page.ts';
import { PaymentKeys } from './paymentKeys.ts';
import { notFound, refusalResponse } from './refusal.ts';
import type { ErrorShape } from './refusal.ts';
import { RequestLog } from './requestLog.ts';
import { serveApi } from './serveApi.ts';
import { serveControls } from './serveControls.ts';
import { Store } from './store.ts';
import { Tasks } from './tasks.ts';
import { Timing } from './timing.ts';
import type { TimingSettings } from './timing.ts';

export interface ServiceSettings extends Partial<TimingSettings> {
	/** Secrets that are left out come from the database, or are random. */
	key?: string;
	secret?: string;
	webhookSecret?: string;
	/** How deliveries are signed, where it differs from the credential's defaults for HMAC. */
	webhookSigning?: Partial<VerificationSettings>;
	/** The form of the API's errors, which the document does not show; `nested` if left out. */
	errorShape?: ErrorShape;
	/** Keeps all records; the service closes it in the end. Without it, records live in memory. */
	database?: DatabaseSync;
	/** How many API requests `/_sandbox/requests` remembers. */
	requestLogLength?: number;
	/** Milliseconds since 1970. */
	now?: () => number;
	/** The given number of random bytes as lower-case hex. */
	randomHex?: (bytes: number) => string;
}

/** The labels under which the sandbox prints its values: those of the credential's form. */
export const PRINTED = {
	url: SETTINGS.baseUrl.label,
	key: SETTINGS.apiKey.label,
	secret: SETTINGS.signatureSecret.label,
	webhookSecret: SETTINGS.webhookSecret.label,
};

export interface Secrets {
	key: string;
	/** Signs requests. */
	secret: string;
	/** Signs deliveries. */
	webhookSecret: string;
}

export interface Service
	extends Pick<ControlContext, 'ledger' | 'deliveries' | 'faults' | 'paymentKeys' | 'requests'> {
	secrets: Secrets;
	/** `Response.error()` means: close the connection without a response. */
	handle(request: Request): Promise<Response>;
	/** Resolves when no settlement and no delivery is pending. */
	idle(): Promise<void>;
	stop(): Promise<void>;
}

export function createService(settings: ServiceSettings): Service {
	const {
		requestLogLength = 1000,
		now = Date.now,
		randomHex = (bytes: number) => randomBytes(bytes).toString('hex'),
	} = settings;
	const store = new Store(settings.database);
	const secrets = keepSecrets(store, settings, randomHex);
	const timing = new Timing(store, settings);
	const tasks = new Tasks();
	const faults = new Faults();
	const paymentKeys = new PaymentKeys(store);
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
	const ledger: Ledger = openLedger({
		store,
		now,
		randomHex,
		scheduleSettlement: ({ payout_id }) => settleLater(payout_id),
		emit: (event) => deliveries.add(event),
	});
	/** Makes a pending payout successful after `settleAfterMs`, unless its status changes before. */
	const settleLater = (id: string) => {
		const { settleAfterMs } = timing.current;
		if (settleAfterMs === null) return;
		tasks.start(async (signal) => {
			await tasks.sleep(settleAfterMs, signal);
			if (ledger.payouts.get(id)?.status !== 'pending') return;
			setPayoutStatus(ledger, id, 'successful');
			store.commit();
		});
	};
	store.commit();
	const schedulePending = () => {
		for (const { payout_id, status } of ledger.payouts.all())
			if (status === 'pending') settleLater(payout_id);
	};
	// A restart loses the timers of pending payouts.
	schedulePending();

	const context: ControlContext = {
		ledger,
		store,
		tasks,
		deliveries,
		faults,
		paymentKeys,
		requests,
		timing,
		errorShape: settings.errorShape,
		setTiming: (changes) => {
			const changed = timing.set(changes);
			if (changes.settleAfterMs !== undefined) schedulePending();
			return changed;
		},
		secrets,
		reset: async () => {
			await tasks.stop();
			deliveries.clear();
			faults.clear();
			paymentKeys.clear();
			requests.clear();
			resetLedger(ledger);
		},
	};

	return {
		secrets,
		ledger,
		deliveries,
		faults,
		paymentKeys,
		requests,
		handle: async (request) => {
			try {
				const url = new URL(request.url);
				if (url.pathname.startsWith('/v1/')) return await serveApi(context, request, url);
				if (url.pathname.startsWith('/_sandbox/')) return await serveControls(context, request, url);
				return serveFile(request, url);
			} catch (error) {
				return refusalResponse(error);
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

/** Given secrets replace those in the store. */
function keepSecrets(store: Store, given: Partial<Secrets>, randomHex: (bytes: number) => string): Secrets {
	const table = store.table<string>('secrets');
	const keep = (name: keyof Secrets) => {
		const value = given[name] ?? table.get(name) ?? randomHex(24);
		table.put(name, value);
		return value;
	};
	return { key: keep('key'), secret: keep('secret'), webhookSecret: keep('webhookSecret') };
}

/** The page and the OpenAPI document. Throws a Refusal. */
function serveFile(request: Request, url: URL): Response {
	if (request.method === 'GET') {
		requireLoopback(request, url);
		if (url.pathname === '/openapi.json') return Response.json(openApi(url.origin));
		const file = pageFile(url.pathname);
		if (file !== undefined) return file;
	}
	throw notFound(`There is nothing at ${url.pathname}`);
}
