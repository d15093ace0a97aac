/** Elements, lists and texts. All data comes from untrusted senders, so it is only inserted as text. */

/** @type {(id: string) => HTMLElement} The page has all of the elements that are asked for. */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {(id: string) => HTMLFormElement} */
export const form = (id) => /** @type {HTMLFormElement} */ (byId(id));

/** @type {(id: string) => HTMLInputElement} */
export const input = (id) => /** @type {HTMLInputElement} */ (byId(id));

/**
 * An element with properties (or attributes such as `class`) and children. Strings become text nodes.
 * @param {Record<string, unknown>} properties
 * @param {...(Node | string)} children
 * @returns {any} The properties that the caller reads again are those of its tag.
 */
export function element(tag, properties = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name in node) Object.assign(node, { [name]: value });
		else node.setAttribute(name, String(value));
	}
	node.append(...children);
	return node;
}

/** `label` is the full text for screen readers, which may read the button without its row. */
export function button(text, label, press) {
	return element('button', { type: 'button', ariaLabel: label, onclick: press }, text);
}

/** Leaves an unchanged text alone, which keeps the user's selection. */
export function setText(node, text) {
	if (node.textContent !== text) node.textContent = text;
}

export function showBadge(badge, status) {
	setText(badge, status);
	badge.className = `badge ${status}`;
}

/**
 * Returns a function that updates the children of `parent` to a list of items. `make(item)` returns a node and a function
 * that shows a newer version of the item. `keyOf(item)` identifies an item across updates: its node stays, with its focus
 * and input. While the mouse is over the list, no row comes, goes or moves, so no button jumps away under it.
 */
export function list(parent, keyOf, make) {
	const rows = new Map();
	let items = [];
	const update = () => keepInPlace(change);
	const change = () => {
		const isHeld = parent.matches(':hover:not(:empty)') && !document.activeElement?.matches('[type=search]');
		const keys = new Set(items.map(keyOf));
		for (const [key, { node }] of rows) {
			if (isHeld || keys.has(key)) continue;
			node.remove();
			rows.delete(key);
		}
		items.forEach((item, index) => {
			const key = keyOf(item);
			if (isHeld && !rows.has(key)) return;
			if (!rows.has(key)) rows.set(key, make(item));
			const { node, show } = rows.get(key);
			show(item);
			// Moving a node loses its focus, so a node in its place is not moved.
			if (!isHeld && parent.children[index] !== node)
				parent.insertBefore(node, parent.children[index] ?? null);
		});
	};
	parent.addEventListener('mouseleave', update);
	return (newItems) => {
		items = newItems;
		update();
	};
}

/** What the user works with: under the mouse or the finger, or the focus after a key. At first, the middle of the window. */
let inUse = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2);
/** @param {PointerEvent} event */
const point = ({ clientX, clientY }) => (inUse = () => document.elementFromPoint(clientX, clientY));
document.addEventListener('pointermove', point);
document.addEventListener('pointerdown', point);
document.addEventListener('keydown', () => (inUse = () => document.activeElement));

/** Changes the page, and scrolls it so that what the user works with stays where it is. */
function keepInPlace(change) {
	const anchor = inUse();
	const top = () => anchor?.getBoundingClientRect().top ?? 0;
	const before = top();
	change();
	if (anchor?.isConnected) byId('page').scrollBy(0, top() - before);
}

/** Sets the options of a select and keeps the selected value if it still exists. */
export function setOptions(select, values) {
	const shown = [...select.options].map(({ value }) => value);
	if (shown.length === values.length && shown.join('\n') === values.join('\n')) return;
	const { value: chosen } = select;
	select.replaceChildren(...values.map((value) => element('option', { value }, value || 'none')));
	if (values.includes(chosen)) select.value = chosen;
}

/** Does not change a field that has the focus. */
export function setValue(field, value) {
	if (document.activeElement !== field) field.value = value;
}

/** Commas between the thousands. A number would lose digits. */
export function group(amount) {
	return amount.replace(/^\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** Local time of day in 24 hours, after the date if that is not today. */
export function time(iso) {
	const at = new Date(iso);
	const isToday = at.toDateString() === new Date().toDateString();
	const date = isToday ? '' : `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} `;
	return date + at.toLocaleTimeString('en-GB');
}

/** Indents JSON. Numbers keep their digits. */
export function indent(json) {
	/** @type {any} TypeScript does not know `rawJSON` and the source text that a reviver gets. */
	const exactJson = JSON;
	const exact = (_, value, { source }) => (typeof value === 'number' ? exactJson.rawJSON(source) : value);
	return JSON.stringify(exactJson.parse(json, exact), null, 2);
}
