/** Bodies and headers that no correct service sends, to the trigger in a real n8n. Each must be answered in time, and n8n must survive. */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { SAMPLES } from '../../sandbox/samples.ts';
import { webhookUrl } from '../../host/stack.ts';
import { hostileBodies, hostileHeaders } from './bodies.ts';
import { tally } from '../../bench/shared/lists.ts';
import { reportFigures } from '../shared/figures.ts';
import { LAZY_EXPRESSION_ENGINE, withTemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import { publishTrigger } from '../../bench/shared/workflowParts.ts';

const FULL = 100_000;
export const SHORT = 300;
const CLIENTS = 4;
/** Bodies that are drawn at once. */
const BATCH = 1000;
/** One body in this many goes to the trigger that accepts everything, because n8n is slow to run workflows. */
const ACCEPTED_EVERY = 20;
/** Without an answer after this time, n8n hangs. */
const HANG_MS = 30_000;
const NO_ANSWER = 'UND_ERR_HEADERS_TIMEOUT';
/** n8n answers 500 itself where it cannot decompress a body. */
const BROKEN_COMPRESSION = '500 to a broken compression';
/** n8n parses the XML of all deliveries with one xml2js parser. After a body that is not XML, another one may get no answer. */
const NO_ANSWER_TO_XML = 'no answer to XML';
const ALLOWED = ['200', '400', '401', '413', '422', BROKEN_COMPRESSION, NO_ANSWER_TO_XML];
/** Far above the usual time, because CLIENTS deliveries wait for each other. A quadratic function takes longer. */
const SLOW_MS = 10_000;
const LARGE_BYTES = 15 * 2 ** 20;

const TOO_SLOW = `slower than ${SLOW_MS} ms`;
const JSON_TYPE = { 'content-type': 'application/json' };

export async function run({ short }: { short: boolean }): Promise<void> {
	await withTemporaryN8n((host) => sendBodies(host, short ? SHORT : FULL), LAZY_EXPRESSION_ENGINE);
}

export async function sendBodies({ n8n, client }: TemporaryN8n, count: number): Promise<void> {
	const begun = Date.now();
	const agent = new Agent({ connections: CLIENTS });
	const answers: string[] = [];
	let slowest = { ms: 0, what: '' };
	try {
		const selective = await publishTrigger(client, 'Selective', {
			events: ['settlement_wallet_update'],
			options: { statuses: 'rejected' },
		});
		const accepting = await publishTrigger(client, 'Accepting', {
			events: Object.keys(SAMPLES),
			output: 'perEvent',
			options: { unknownEvents: true, ignoreDuplicates: false, includeHeaders: true },
		});
		const post = async (body: Buffer, index: number, headers: Record<string, string> = JSON_TYPE) => {
			const workflow = index % ACCEPTED_EVERY === 0 ? accepting : selective;
			const { answer, ms } = await send(agent, webhookUrl(n8n, workflow), body, headers);
			answers.push(answer);
			if (ms > slowest.ms) slowest = { ms, what: excerptOf(body, headers) };
		};
		const seed = randomInt(2 ** 31);
		for (let sent = 0; sent < count; sent += BATCH) {
			const drawn = { seed: seed + sent, numRuns: Math.min(BATCH, count - sent) };
			const headers = fc.sample(hostileHeaders, drawn);
			// All clients take their bodies from the same iterator.
			const bodies = fc.sample(hostileBodies, drawn).entries();
			const sendNext = async () => {
				for (const [index, body] of bodies) await post(body, index, headers[index]);
			};
			await Promise.all(Array.from({ length: CLIENTS }, sendNext));
		}
		const filler = 'x'.repeat(LARGE_BYTES);
		await post(Buffer.from(`{"event":"admin_funding","note":"${filler}"}`), 0);
		const { statusCode, body } = await request(`${n8n.url}/healthz`, { dispatcher: agent });
		await body.dump();
		const figures = {
			bodies: count,
			'seed of the bodies': seed,
			answers: tally(answers),
			'crashes of n8n': statusCode === 200 ? 0 : 1,
			hangs: answers.filter((answer) => answer === NO_ANSWER).length,
			'other answers': answers.filter((answer) => !ALLOWED.includes(answer) && answer !== NO_ANSWER).length,
			'milliseconds of the slowest': Math.round(slowest.ms),
			'the slowest': slowest.what,
			[TOO_SLOW]: slowest.ms > SLOW_MS ? 1 : 0,
			seconds: Math.round((Date.now() - begun) / 1000),
		};
		reportFigures('Hostile bodies', figures, ['crashes of n8n', 'hangs', 'other answers', TOO_SLOW]);
	} finally {
		await agent.destroy();
	}
}

/** Returns the status, or what happened instead, and how long an answer took. */
async function send(
	agent: Agent,
	url: string,
	body: Buffer,
	headers: Record<string, string>,
): Promise<{ answer: string; ms: number }> {
	const begun = performance.now();
	const isXml = headers['content-type'] === 'application/xml';
	const isCompressed = (headers['content-encoding'] ?? 'identity') !== 'identity';
	// Where n8n cannot decompress a body, it leaves the rest unread, and the next request on that connection gets no answer.
	const connection = isCompressed ? new Agent() : agent;
	try {
		const answer = await request(url, {
			method: 'POST',
			body,
			headers,
			dispatcher: connection,
			headersTimeout: isXml ? SLOW_MS : HANG_MS,
		});
		await answer.body.dump();
		const status = String(answer.statusCode);
		return {
			answer: status === '500' && isCompressed ? BROKEN_COMPRESSION : status,
			ms: performance.now() - begun,
		};
	} catch (error) {
		const { code = String(error) } = error as NodeJS.ErrnoException;
		return { answer: isXml && code === NO_ANSWER ? NO_ANSWER_TO_XML : code, ms: 0 };
	} finally {
		if (isCompressed) await connection.destroy();
	}
}

/** A short text that lets a person find the delivery again. */
function excerptOf(body: Buffer, headers: Record<string, string>): string {
	const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 40)}`);
	return `${body.length} bytes, ${body.subarray(0, 60).toString('latin1')} (${shown.join(', ')})`;
}
