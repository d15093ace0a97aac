import { whatHappened } from './conversion.js';

/**
 * What the row of this conversion says now.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	const step = $('Next step').first().json;
	const looked = step.next === 'look';
	const answer = (looked ? $('Look it up') : $input).first().json;
	const rows = looked ? $input.all().filter((item) => item.json.id).length : 0;
	return [{ json: whatHappened(step, answer, rows) }];
}
