import { toHtml } from './text.js';

/**
 * Facts such as `Asked by: Ada`, each followed by its list if it has one.
 * @typedef {Array<string | string[]>} Facts
 */

/**
 * The mail: one fact a line.
 * @param {Facts} facts
 */
export const factsText = (facts) =>
	facts.flatMap((fact) => (typeof fact === 'string' ? [fact] : fact.map((each) => `- ${each}`))).join('\n');

/**
 * The page, for a field of the kind HTML: n8n shows this one left-aligned.
 * @param {Facts} facts
 */
export const factsPage = (facts) =>
	facts
		.map((fact) =>
			typeof fact === 'string'
				? `<p>${toHtml(fact).replace(/^[^:]+:/, '<b>$&</b>')}</p>`
				: `<ul>${fact.map((each) => `<li>${toHtml(each)}</li>`).join('')}</ul>`,
		)
		.join('');
