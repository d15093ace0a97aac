/**
 * The verifiers of each trigger. To read a credential, n8n asks its database, decrypts, and starts an engine for expressions: a
 * third of the time of a delivery. So a reading serves the deliveries of the next seconds, and those that arrive together.
 *
 * - A secret that was removed or changed is refused five seconds later, also while n8n cannot read the credential.
 * - Before a delivery is refused, the credential is read again: a new secret works at once. Forged deliveries cost one reading a second.
 */
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import type { Delivery, Verdict, Verifier } from '../../api/signature/verifier.ts';
import { BoundedMap } from '../shared/store/boundedMap.ts';

/** How old a reading may be, in milliseconds, when a delivery arrives. */
const KEPT_FOR = 5000;
/** Between two readings of a trigger before a refusal, in milliseconds. A new secret waits as long while forged deliveries arrive. */
const PAUSE = 1000;

/** Asks n8n for the credential. Throws if it cannot be read. */
type Read = () => Promise<VerificationSettings>;

/** `at`: when the delivery was received, in milliseconds since 1970. `clock` gives milliseconds, and nobody can set it back. */
interface Circumstances {
	at: number;
	read: Read;
	clock?: () => number;
}

/** Why a reading gave no verifier: in a hiccup n8n could not read the credential, otherwise its settings verify nothing. */
interface Problem {
	error: unknown;
	isHiccup: boolean;
}

interface Reading {
	/** By the clock. What was changed later may be missing. */
	begun: number;
	/** Never rejects: nobody may wait for it. */
	outcome: Promise<Verifier | Problem>;
}

class VerifierMemory {
	#last: Reading | undefined;
	/** When the credential was last read before a refusal. */
	#checked = -Infinity;

	/** Throws what `read` throws, and a SettingError for a credential that verifies nothing. */
	async verify(
		delivery: Delivery,
		{ at, read, clock = () => performance.now() }: Circumstances,
	): Promise<Verdict> {
		const arrived = clock();
		const recent = this.#recent(read, arrived);
		const judgement = await judge(recent, delivery, at);
		if (isAccepted(judgement) || recent.begun >= arrived) return verdictOf(judgement);
		const newer = this.#newer(recent, read, clock());
		const again = newer === undefined ? judgement : await judge(newer, delivery, at);
		return verdictOf(isHiccup(again) ? judgement : again);
	}

	/** The last reading, or a new one if that is too old. */
	#recent(read: Read, now: number): Reading {
		return isRecent(this.#last, now) ? this.#last : this.#begin(read, now);
	}

	/** Another reading than the one that refuses a delivery. Undefined if it is too soon for one. */
	#newer(refusing: Reading, read: Read, now: number): Reading | undefined {
		// Another delivery has begun one, or that one has failed and the one before is back.
		if (this.#last !== refusing) return this.#recent(read, now);
		if (now - this.#checked < PAUSE) return undefined;
		this.#checked = now;
		return this.#begin(read, now);
	}

	#begin(read: Read, now: number): Reading {
		const before = this.#last;
		const reading = { begun: now, outcome: readVerifier(read) };
		this.#last = reading;
		void reading.outcome.then((outcome) => {
			const isOver = isHiccup(outcome) && this.#last === reading;
			if (isOver && isRecent(before, now)) this.#last = before;
		});
		return reading;
	}
}

async function readVerifier(read: Read): Promise<Verifier | Problem> {
	let isHiccup = true;
	try {
		const credential = await read();
		isHiccup = false;
		return compileVerifier(credential);
	} catch (error) {
		return { error, isHiccup };
	}
}

function isRecent(reading: Reading | undefined, now: number): reading is Reading {
	return reading !== undefined && now - reading.begun < KEPT_FOR;
}

async function judge({ outcome }: Reading, delivery: Delivery, at: number): Promise<Verdict | Problem> {
	const verify = await outcome;
	return typeof verify === 'function' ? verify(delivery, at) : verify;
}

function isAccepted(judgement: Verdict | Problem): boolean {
	return 'ok' in judgement && judgement.ok;
}

function isHiccup(result: Verifier | Verdict | Problem): boolean {
	return 'isHiccup' in result && result.isHiccup;
}

function verdictOf(judgement: Verdict | Problem): Verdict {
	if ('error' in judgement) throw judgement.error;
	return judgement;
}

// In the module, because n8n creates a new node object for each delivery.
const memories = new BoundedMap<VerifierMemory>();

/**
 * `reader` names one trigger of one workflow, and its credential. Triggers with one credential do not share its readings: n8n
 * gives its expressions the variables of the workflow's project, so the secret may be another one there.
 */
export function verifierMemoryOf(reader: string): VerifierMemory {
	const memory = memories.get(reader) ?? new VerifierMemory();
	memories.set(reader, memory);
	return memory;
}
