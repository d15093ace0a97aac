/** Whole answers of 213 services, from their documents and threads: how many open ones free the key, and how many plain ones do not. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { getOperation } from '../../api/catalog.ts';
import { readResponse } from '../../nodes/shared/answers/interpret.ts';
import type { ServiceRequest } from '../../nodes/shared/serviceRequest.ts';

interface CollectedAnswer {
	service: string;
	/** Where the answer is shown in public. */
	source: string;
	status: number;
	headers?: Record<string, string>;
	/** As JSON, or as the text of another body. */
	body: unknown;
	/** The body of the request, if the source shows it. */
	request?: Record<string, unknown>;
}

const PAYOUT = getOperation('fiatWallet.createPayout');
const REQUEST = { currency: 'NGN', amount: '10', account_alias: 'supplier-main' };

function readCollected(name: 'collectedOpen' | 'collectedPlain'): CollectedAnswer[] {
	const path = resolve(import.meta.dirname, `../fixtures/answers/${name}.json`);
	return JSON.parse(readFileSync(path, 'utf8')) as CollectedAnswer[];
}

function requestOf(body: Record<string, unknown> = REQUEST): ServiceRequest {
	return { money: {}, fields: new Map(Object.entries(body).map(([name, value]) => [name, { value }])) };
}

/** The outcome, and the node's message, of a payment with this answer. */
function readPayout({ status, body, request }: CollectedAnswer): { outcome: string; message: string } {
	const raw = { statusCode: status, body: typeof body === 'string' ? body : JSON.stringify(body ?? '') };
	const read = readResponse(PAYOUT, raw, { simplify: true, request: requestOf(request) });
	return read.ok ? { outcome: 'paid', message: '' } : read.failure;
}

function percent(part: unknown[], all: unknown[]): number {
	return (100 * part.length) / all.length;
}

test.each([
	['collectedOpen', 'freed', 'rejected', 3],
	['collectedPlain', 'unknown', 'unknown', 25],
] as const)('of the answers in %s, few are %s', (name, word, outcome, most) => {
	const all = readCollected(name);
	const wrong = all.filter((answer) => readPayout(answer).outcome === outcome);
	const share = percent(wrong, all);
	process.stdout.write(`${name}: ${wrong.length} of ${all.length} are ${word} (${share.toFixed(1)} %)\n`);
	expect(all.length).toBeGreaterThanOrEqual(270);
	expect(share).toBeLessThanOrEqual(most);
});
