/** A request that would begin too late: what it pays may have been settled meanwhile. */

/** n8n reads its database again before it signs, which may take long. `sendBy`: milliseconds since 1970. */
export interface LimitedInTime {
	sendBy?: number;
}

/** n8n wraps errors in its own and keeps the code. */
export class LateError extends Error {
	static readonly code = 'LATE';
	readonly code = LateError.code;
}

/** Throws LateError. */
export function requireInTime({ sendBy = Infinity }: LimitedInTime): void {
	if (Date.now() > sendBy) throw new LateError('The request comes too late');
}
