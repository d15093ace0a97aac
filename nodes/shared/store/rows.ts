/**
 * Rows of our own in n8n's table of processed items. Its primary key is the workflow and a context, which holds the id of the
 * node. n8n's helpers read this id before they wait for anything. So a call with a name in place of the id has a row for this
 * name, made by one INSERT, in any number of processes. `prove` tries this before the first use: in doubt there are no rows.
 *
 * n8n sends a SELECT and an INSERT for a row that is made, and on SQLite a SELECT of its times; a SELECT and an UPDATE for one that is
 * there; a SELECT for `exists` and `count`; a DELETE for `delete`.
 */
import { createHash, randomUUID } from 'node:crypto';
import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

/** The kind of a row, and what it stands for. */
export type RowName = [kind: string, ...about: string[]];

/**
 * `mine`: the row was there, with all these texts. `others`: it was there without the `missing` ones. Texts of others may come
 * back when several processes ask at once, so `mine` proves less than `made`.
 */
export type Made = { is: 'made' } | { is: 'mine' } | { is: 'others'; missing: unknown[] };

export type Taken = Exclude<Made, { is: 'mine' }>;

/** The rows of a workflow, for who only reads. */
export interface RowsToRead {
	workflowId: string;
	/** Writes nothing. */
	exists(name: RowName): Promise<boolean>;
	/** How many texts the row has, with the one that every row has. 0: it is not there. Writes nothing. */
	count(name: RowName): Promise<number>;
}

/** The rows of a workflow. A call that throws may have been stored. */
export interface Rows extends RowsToRead {
	/** Makes the row with these texts, unless it is there. Of all processes that ask, one is told `made`. */
	make(name: RowName, ...texts: string[]): Promise<Made>;
	/**
	 * As `make`, with one more text, which no other call has. So a row of others is never taken for one's own: it never gives `mine`,
	 * and throws if a write that failed may have been stored.
	 */
	take(name: RowName, ...texts: string[]): Promise<Taken>;
	delete(name: RowName): Promise<void>;
}

const ENTRIES = { mode: 'entries' } as const;
/** Every row has this text, so an answer without news means that the row was there. */
const MARK = 'row';
const IN_DOUBT = 'n8n does not say whether it has stored the row';

/** A database that is started again, or moves to another machine, is waited for as long as this. Milliseconds. */
const MAY_BE_AWAY = 60_000;
const BETWEEN_TRIES = 250;
/** What waits for a connection when n8n makes its connections anew never gets an answer. */
const ANSWERS_WITHIN = 30_000;
const NO_ANSWER = "n8n's connection to its database gives no answer";
/** How PostgreSQL, its client and n8n say that it cannot be reached: by a code, or only in words. */
const AWAY =
	/^(?:08\w{3}|57P0[1-3]|53300|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E\w+UNREACH) |connect|pool|starting up|shutting down/i;

/** Whether the database of this process was away for so long that nobody waits for it. */
let isGivenUp = false;

/** What a question has added to a row, and whether n8n has reported an error before. */
interface Recorded {
	added: unknown[];
	hasFailed: boolean;
}

/** Whether rows were seen to be separate in this process. */
let isProven = false;

/** The rows of the workflow of this execution. Throws if n8n cannot keep any. */
export async function rowsOf(context: IExecuteFunctions): Promise<Rows> {
	const { id } = context.getWorkflow();
	if (!id) throw new Error('the workflow was never saved');
	const rows = openRows(context, id);
	if (!isProven) await prove(rows);
	isProven = true;
	return rows;
}

/** The rows of the workflow of this execution, for who writes nothing, not even to prove them. Undefined if n8n keeps none. */
export async function rowsToRead(context: IExecuteFunctions): Promise<RowsToRead | undefined> {
	const { id } = context.getWorkflow();
	if (!id) return undefined;
	const rows = openRows(context, id);
	// Nobody has made this row. If it is there, names are not kept apart.
	return isProven || !(await rows.exists(newName())) ? rows : undefined;
}

function openRows(context: IExecuteFunctions, workflowId: string): Rows {
	const { helpers } = context;
	const { node } = context.getExecuteData();
	const at = async <T>([kind, ...about]: RowName, call: () => Promise<T>): Promise<T> => {
		const { id } = node;
		const digest = createHash('sha256').update(JSON.stringify(about)).digest('base64url');
		node.id = `wallet-service ${kind} ${digest}`;
		let asking: Promise<T>;
		try {
			asking = call();
		} finally {
			node.id = id;
		}
		return await inTime(asking);
	};
	const record = async (name: RowName, entries: string[]): Promise<Recorded> => {
		let hasFailed = false;
		const ask = async () =>
			await at(name, () => helpers.checkProcessedAndRecord(entries, 'node', ENTRIES)).catch(
				(error: Error) => {
					hasFailed = true;
					return Promise.reject(error);
				},
			);
		// It fails if another process makes the row at this instant, and that one may free it at once.
		const { new: added, processed } = await whenReached(ask).catch(ask).catch(ask);
		if (added.length + processed.length !== entries.length) throw new Error('the row has other data');
		return { added, hasFailed };
	};
	const takeBack = async (name: RowName, added: unknown[]) =>
		await at(name, () => helpers.removeProcessed(added as string[], 'node', ENTRIES)).catch(() => {});
	const count = async (name: RowName) => {
		const ask = async () => await at(name, () => helpers.getProcessedDataCount('node', ENTRIES));
		return await whenReached(ask);
	};
	return {
		workflowId,
		make: async (name, ...texts) => {
			const { added, hasFailed } = await record(name, [MARK, ...texts]);
			if (added.includes(MARK)) return { is: 'made' };
			// The write that failed may have been stored: in a row of ours, or in one of another process.
			if (added.length === 0 && hasFailed && texts.length > 0) throw new Error(IN_DOUBT);
			if (added.length === 0) return { is: 'mine' };
			await takeBack(name, added);
			return { is: 'others', missing: added };
		},
		take: async (name, ...texts) => {
			const own = randomUUID();
			const entries = [MARK, own, ...texts];
			const { added } = await record(name, entries);
			if (added.includes(MARK)) return { is: 'made' };
			// A write that failed was stored: in a row of ours, or in one of another process.
			if (!added.includes(own)) throw new Error(IN_DOUBT);
			await takeBack(name, added);
			return { is: 'others', missing: added.filter((text) => text !== own) };
		},
		exists: async (name) => (await count(name)) > 0,
		count,
		// Never tried again: after an error it may be gone, and made by another process since.
		delete: async (name) => await at(name, () => helpers.clearAllProcessedItems('node', ENTRIES)),
	};
}

/** The answer. Throws if there is none in time. */
async function inTime<T>(asking: Promise<T>): Promise<T> {
	const late = AbortSignal.timeout(ANSWERS_WITHIN);
	return await new Promise((resolve, reject) => {
		const giveUp = () => reject(new Error(NO_ANSWER));
		late.addEventListener('abort', giveUp, { once: true });
		// A list asks for thousands of rows: none of them is kept in memory until its time is over.
		const answered = () => late.removeEventListener('abort', giveUp);
		void asking.then(resolve, reject).finally(answered);
	});
}

/** The answer, as soon as the database can be reached. For questions that may be asked again. */
async function whenReached<T>(ask: () => Promise<T>): Promise<T> {
	const begun = performance.now();
	const askAgain = async (error: Error): Promise<T> => {
		if (isGivenUp || !isAway(error)) return await Promise.reject(error);
		isGivenUp = performance.now() - begun > MAY_BE_AWAY;
		await sleep(BETWEEN_TRIES);
		return await ask().catch(askAgain);
	};
	const answer = await ask().catch(askAgain);
	isGivenUp = false;
	return answer;
}

function isAway({ code = '', message }: Error & { code?: unknown }): boolean {
	return AWAY.test(`${String(code)} ${message}`);
}

function newName(): RowName {
	return ['proof', randomUUID()];
}

/** Throws if two names are not two rows. Leaves nothing behind. */
async function prove(rows: Rows): Promise<void> {
	const [one, two, three] = [newName(), newName(), newName()];
	const first = [await rows.make(one, 'a'), await rows.make(two), await rows.make(one, 'a')];
	const seen = [...first.map(({ is }) => is), await rows.exists(one), await rows.exists(three)];
	await rows.delete(one);
	await rows.delete(two);
	seen.push(await rows.exists(one), await rows.exists(two));
	if (seen.join() !== 'made,made,mine,true,false,false,false')
		throw new Error('n8n does not keep a row for each name');
}
