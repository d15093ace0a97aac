/** What the trigger says in n8n's log: the same text of a trigger, whatever its numbers, once a minute, since deliveries are sent again. */
import type { IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../shared/boundedMap.ts';
import { triggerOf } from './settings.ts';

const PAUSE = 60_000;

/** When a text was logged last, by `performance.now()`. */
const logged = new BoundedMap<number>(1000);

export function warn(context: IWebhookFunctions, text: string): void {
	// The seconds of a late delivery grow each time that it is sent again.
	const place = `${triggerOf(context)} ${text.replaceAll(/\d+/g, '')}`;
	const now = performance.now();
	if (now - (logged.get(place) ?? -Infinity) < PAUSE) return;
	logged.set(place, now);
	context.logger.warn(text);
}
