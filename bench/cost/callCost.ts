/** The cost of an item in the action. */
import { CATALOG, getEndpoint } from '../../api/catalog.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { isField, isList, UNDOCUMENTED } from '../../api/shape.ts';
import type { FieldKind, RecordShape, RequestFieldKind } from '../../api/shape.ts';
import type { Report } from '../results.ts';
import { actionCode } from '../shared/publishedCode.ts';
import type { SigningSettings } from '../shared/publishedCode.ts';
import { costOf, show } from './costMeter.ts';
import type { Effort } from './costMeter.ts';

/** The largest acceptable ratio of the cost per item with 1,000 items in a run to the cost per item with 100. */
const LINEAR = 1.25;
const LIST_LENGTH = 10;

const SIGNING: SigningSettings = {
	serviceName: 'svc',
	apiKey: 'only-for-this-run',
	timestampFormat: 'unixMilliseconds',
	signatureMethod: 'hmac',
	signatureSecret: 'only-for-this-run-too',
};

const INPUTS: Record<RequestFieldKind, string> = {
	text: 'customer-0042',
	code: 'NGN',
	url: 'https://example.com/receipt.pdf',
	amount: '1234.56789012',
	signedAmount: '-1234.56789012',
};

/** Adds the cost of an item of each operation: build the request, sign it, read the answer. */
export async function measureCalls(report: Report, effort: Effort): Promise<void> {
	report.group('An item, by operation');
	const { buildRequest, readResponse, signRequest } = actionCode();
	for (const { id, method, path, endpoint } of CATALOG) {
		const parameters = parametersOf(endpoint);
		const answer = { statusCode: 200, body: answerOf(endpoint) };
		const cost = await costOf(
			effort,
			() => parameters,
			(input) => {
				const built = buildRequest(endpoint, {
					value: (name) => input[name],
					expression: (name) => input[name],
				});
				if (!built.ok) throw new Error(built.issues.map(({ message }) => message).join(', '));
				const url = new URL(path, 'http://127.0.0.1');
				signRequest(SIGNING, { method, url, body: built.request.body ?? '' }, Date.now());
				const read = readResponse(endpoint, answer, { simplify: true });
				if (!read.ok) throw new Error(read.failure.message);
			},
		);
		report.row({ what: id, figure: show(cost) });
	}
}

/** Adds what the checks and the ledger of payments cost per item. The service's answers come at once. */
export async function measureMoneyCalls(report: Report, effort: Effort): Promise<void> {
	report.group('Payouts, by items in a run');
	const { ExecutionLedger, payItems } = actionCode();
	const entry = getEndpoint('fiatWallet.createPayout');
	const send = () => Promise.resolve({ ok: true as const, items: [{ payoutId: 'po_1', status: 'pending' }] });
	const parameters = {
		...parametersOf(entry.endpoint),
		options: { dryRun: false, maximumTotal: '1000000000' },
	};
	const read = (name: string) => parameters[name as keyof typeof parameters];
	const pay = async (items: number) => {
		const { stoppedAt } = await payItems({
			entry,
			items: Array.from({ length: items }, () => ({ value: read, expression: read, evaluate: read })),
			ledger: new ExecutionLedger({}, 0, '1'),
			send,
			dryRun: send,
			continueOnFail: false,
			isCancelled: () => false,
		});
		if (stoppedAt !== undefined) throw new Error(stoppedAt.failure.message);
	};
	let perItemOf100 = Infinity;
	for (const items of [1, 100, 1000]) {
		const runs = { ...effort, inputs: effort.inputs / items };
		const run = await costOf(runs, () => items, pay);
		const cost = { microseconds: run.microseconds / items, bytes: run.bytes / items };
		if (items === 100) perItemOf100 = cost.microseconds;
		report.row({
			what: `${items.toLocaleString('en')} in a run, for each`,
			figure: show(cost),
			...(items > 100 && {
				target: `linear: <= ${LINEAR} of 100 in a run`,
				met: cost.microseconds <= LINEAR * perItemOf100,
			}),
		});
	}
}

function parametersOf({ request }: Endpoint): Record<string, string> {
	if (request === UNDOCUMENTED)
		return { specifyBody: 'json', requestBody: '{"alias":"deposits-usdt","amount":0.5}' };
	return Object.fromEntries(Object.entries(request).map(([name, { kind }]) => [name, INPUTS[kind]]));
}

/** An answer with every field of the table, as JSON. */
function answerOf({ response }: Endpoint): string {
	if (response === UNDOCUMENTED) return '{"id":"1","alias":"deposits-usdt","status":"active","balance":0.5}';
	if (!isList(response)) return recordOf(response);
	const elements = Array.from({ length: LIST_LENGTH }, () => recordOf(response.element));
	return `{"${response.listKey}":[${elements.join()}]}`;
}

function recordOf(shape: RecordShape): string {
	const entries = Object.entries(shape).map(([key, entry]) => {
		const value = isField(entry) ? valueOf(entry[1]) : recordOf(entry);
		return `${JSON.stringify(key)}:${value}`;
	});
	return `{${entries.join()}}`;
}

function valueOf(kind: FieldKind): string {
	if (kind === 'number') return '1234.56789012';
	if (kind === 'decimal' || kind === 'money') return '"1234.56789012"';
	if (kind === 'time') return '"2025-01-31T12:00:00Z"';
	return typeof kind === 'string' ? '"Acme Trading"' : JSON.stringify(kind.oneOf[0]);
}
