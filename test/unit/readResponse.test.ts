/** No answer of the service makes the node throw, show a secret, or call a payment made that may not be. */
import fc from 'fast-check';
import { CATALOG } from '../../api/catalog.ts';
import type { Operation } from '../../api/catalog.ts';
import { ENDPOINTS } from '../../api/endpoints.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { readResponse } from '../../nodes/WalletService/action/call/readResponse.ts';

/** Bodies of any kind: JSON of any shape, with the keys of real answers, and text that is not JSON. */
const key = fc.oneof(
	fc.constantFrom(
		...['payout_id', 'transaction_id', 'id', 'status', 'results', 'error', 'success', 'message', '__proto__'],
	),
	fc.string(),
);
const { value } = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4 },
		fc.constantFrom(null, '', 'failed', true, false, 0, -0, 1e308, '1e9', '0.1'),
		fc.string(),
		fc.double(),
		fc.array(tie('value')),
		fc.dictionary(key, tie('value')),
	),
}));
const body = fc.oneof(
	value.map((json) => JSON.stringify(json) ?? ''),
	fc.string(),
	fc.constantFrom('', '[]', '[[]]', '{', '<html>', '\uFEFF{}', '1e9999'),
);
const statusCode = fc.oneof(
	fc.constantFrom(200, 201, 204, 400, 401, 409, 422, 429, 500),
	fc.integer({ min: 100, max: 599 }),
);

test.each(CATALOG)('no answer to $id throws, and an accepted payment is one item', (endpoint) => {
	fc.assert(
		fc.property(statusCode, body, fc.boolean(), fc.string(), (code, text, simplify, secret) => {
			const raw = { statusCode: code, body: text, retryAfter: secret };
			const result = readResponse(endpoint, raw, { simplify, secrets: [secret] });
			if (!result.ok) {
				expect(['rejected', 'unknown']).toContain(result.failure.outcome);
				expect(result.failure.message).not.toBe('');
				return;
			}
			expect(code >= 200 && code < 300).toBe(true);
			if (endpoint.movesMoney !== undefined) expect(result.items).toHaveLength(1);
		}),
		{ numRuns: 100 },
	);
});

test.each([
	['{"message":"key only-for-this-test is wrong"}', 'key [redacted] is wrong'],
	['{"message":"no","received":{"only-for-this-test":["only-for-this-test"]}}', 'no'],
])('a secret in the answer %s is shown nowhere', (text, words) => {
	const [endpoint] = CATALOG as [Operation];
	const raw = { statusCode: 401, body: text };
	const result = readResponse(endpoint, raw, { simplify: true, secrets: ['only-for-this-test'] });
	expect(JSON.stringify(result)).not.toContain('only-for-this-test');
	expect(result.ok || result.failure.message).toBe(`The service answered 401: ${words}`);
});

test.each([600, 100_000])('an answer with %d nested lists is unknown', (depth) => {
	const endpoint = CATALOG.find(({ id }) => id === 'cryptoWallet.createPayout')!;
	const text = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
	const result = readResponse(endpoint, { statusCode: 200, body: text }, { simplify: true });
	expect(result).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
});

describe('an undocumented list', () => {
	const list: Endpoint = ENDPOINTS['settlementAccount.getAll'];
	const items = (body: string) => readResponse(list, { statusCode: 200, body }, { simplify: true });

	test.each([
		['{"results":[{"alias":"a"},{"alias":"b"}],"note":"x"}', [{ alias: 'a' }, { alias: 'b' }]],
		['{"data":{"accounts":[{"alias":"a"}],"page":1}}', [{ alias: 'a' }]],
		['[{"alias":"a"}]', [{ alias: 'a' }]],
		['{"results":[]}', []],
		[
			'{"results":[{"alias":"a"}],"others":[{"alias":"b"}]}',
			[{ results: [{ alias: 'a' }], others: [{ alias: 'b' }] }],
		],
		['{"results":["a"]}', [{ results: ['a'] }]],
		['{"alias":"a"}', [{ alias: 'a' }]],
	])('the undocumented list %s gives the items %p', (body, expected) =>
		expect(items(body)).toEqual({ ok: true, items: expected }),
	);
});
