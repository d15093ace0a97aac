/**
 * Loaded into n8n before anything else, by NAMED_ROWS of process.ts. The rows of a payment have digests for names, so nobody could
 * find them. This writes down which payments there are: a line `["key","digest of the payment"]` for each.
 */
import crypto from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

/** What the name of a row says of the time of a payment: key, payment, time. */
const ABOUT_TIME = /^(\["(?:[^"\\]|\\.)*","[\w-]{43}"),"\d{8}"\]$/;

const { createHash } = crypto;
const known = new Set();

crypto.createHash = (algorithm, options) => {
	const hash = createHash(algorithm, options);
	/** @type {any} Its two forms have no common type. */
	const update = hash.update.bind(hash);
	hash.update = (/** @type {any} */ data, /** @type {any} */ encoding = undefined) => {
		const [, payment] = (typeof data === 'string' && ABOUT_TIME.exec(data)) || [];
		if (payment !== undefined && !known.has(payment)) {
			known.add(payment);
			appendFileSync(join(process.env.N8N_USER_FOLDER ?? '', 'payments.jsonl'), `${payment}]\n`);
		}
		return update(data, encoding);
	};
	return hash;
};
syncBuiltinESMExports();
