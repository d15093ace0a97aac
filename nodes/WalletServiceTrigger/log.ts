/** What the trigger says in n8n's log: the same news of a trigger once a minute, since deliveries are sent again. */
import type { IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../shared/store/boundedMap.ts';
import { triggerOf } from './settings.ts';

const PAUSE = 60_000;

/** Until when news are not logged again, by `performance.now()`. */
const logged = new BoundedMap<number>();

/** `kind`: of the news. The text may hold words of a sender, which change. */
export function report(
	context: IWebhookFunctions,
	level: 'warn' | 'error',
	kind: string,
	text: string,
): void {
	const [place, now] = [`${triggerOf(context)} ${kind}`, performance.now()];
	if (now < (logged.get(place) ?? now)) return;
	logged.set(place, now + PAUSE);
	context.logger[level](text);
}

/** A sender's words on one line, cut, with all but plain ASCII escaped: a terminal may act on the rest. */
export function quoted(words: string): string {
	const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return `'${words.slice(0, 60).replace(/[^ -~]/g, escaped)}${words.length > 60 ? '…' : ''}'`;
}
