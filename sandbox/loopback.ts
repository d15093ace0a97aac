import { isLoopback } from '../api/address.ts';
import { Refusal } from './refusal.ts';

/** Throws a Refusal (403) for another host name (DNS rebinding) and for a page of another origin. */
export function requireLoopback(request: Request, url: URL): void {
	const origin = request.headers.get('origin');
	const fromLoopback = origin === null || (URL.canParse(origin) && isLoopback(new URL(origin).hostname));
	if (isLoopback(url.hostname) && fromLoopback) return;
	throw new Refusal(403, 'forbidden', 'Only this machine can use the controls of the sandbox');
}
