/** What is inside an error: n8n wraps those of a connection and of a credential, and replaces their words. */

const MOST_CAUSES = 5;

/** An error and those that caused it, the outermost first. */
export function errorChain(error: unknown): Error[] {
	const chain: Error[] = [];
	let cause = error;
	while (cause instanceof Error && chain.length < MOST_CAUSES) {
		chain.push(cause);
		({ cause } = cause);
	}
	return chain;
}

/** The code of an error, or of the error inside n8n's own. Older n8n (2.13) keeps the code as `httpCode`. */
export function codeOf(error: Error): string {
	const { code, httpCode } = error as { code?: unknown; httpCode?: unknown };
	return String(code ?? httpCode ?? '');
}

/** The calls to the system that failed, such as `connect` or `read`: several where each address of a host was tried. */
export function systemCallsOf(error: Error): string[] {
	const { syscall, errors = [] } = error as { syscall?: unknown; errors?: unknown };
	const tries = Array.isArray(errors) ? errors.filter((each) => each instanceof Error) : [];
	return [...(typeof syscall === 'string' ? [syscall] : []), ...tries.flatMap(systemCallsOf)];
}

/** n8n replaces messages and keeps the original ones in `messages`. */
export function originalMessage(error: Error): string {
	const { messages: [original] = [] } = error as { messages?: string[] };
	return original ?? error.message;
}
