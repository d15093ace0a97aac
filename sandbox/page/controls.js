/** Calls of the sandbox's controls, and the messages about them. */
import { byId, element, setText } from './dom.js';

/** The row or form where the user acted last. */
let latest = document.querySelector('header');
for (const type of ['click', 'submit', 'change'])
	document.addEventListener(
		type,
		({ target }) => {
			latest = target.closest('li, form, header') ?? latest;
		},
		true,
	);

const message = element('div', { ariaHidden: 'true' });

/** Shows a message at the end of a row or form. A screen reader reads it from a place that does not move. */
export function showMessage(text, place, failed = false) {
	setText(byId('said'), text);
	setText(message, text);
	message.className = `said ${failed ? 'bad' : 'good'}`;
	place.append(message);
}

/** Calls a control. Shows `done` or the error where the user acted. Returns the JSON, or undefined after an error. */
export async function callControl(method, path, body, done, place = latest) {
	try {
		const response = await fetch(`/_sandbox/${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const json = await response.json();
		if (!response.ok) throw new Error(json.error.message);
		if (done !== undefined) showMessage(done, place);
		return json;
	} catch (error) {
		showMessage(error.message, place, true);
		return undefined;
	}
}
