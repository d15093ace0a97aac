/** Elements, lists and texts, for any page. */

export const byId = (id) => document.getElementById(id);

/** An element with properties (or attributes such as `class`) and children. Strings become text nodes. */
export function element(tag, properties = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name in node) node[name] = value;
		else node.setAttribute(name, value);
	}
	node.append(...children);
	return node;
}

/** Leaves an unchanged text alone, which keeps the user's selection. */
export function setText(node, text) {
	if (node.textContent !== text) node.textContent = text;
}

/** `label` is the full text for screen readers, which may read the button without its row. */
export function button(text, label, press) {
	return element('button', { type: 'button', ariaLabel: label, onclick: press }, text);
}

/**
 * Returns a function that updates the children of `parent` to a list of items. `make(item)` returns a node and a function that
 * shows a newer version of the item. `keyOf(item)` identifies an item across updates.
 */
export function list(parent, keyOf, make) {
	const rows = new Map();
	return (items) => {
		const keys = new Set(items.map(keyOf));
		for (const [key, { node }] of rows) {
			if (keys.has(key)) continue;
			node.remove();
			rows.delete(key);
		}
		items.forEach((item, index) => {
			const key = keyOf(item);
			if (!rows.has(key)) rows.set(key, make(item));
			const { node, show } = rows.get(key);
			show(item);
			// Moving a node loses its focus, so a node in its place is not moved.
			if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
		});
	};
}

/** Shows or hides buttons. If a hidden button had the focus, its row gets it. */
export function toggle(actions, shown) {
	if (!shown && actions.contains(document.activeElement)) actions.closest('li').focus();
	actions.hidden = !shown;
}

/** Sets the options of a select and keeps the selected value if it still exists. A choice is a value, or value and text. */
export function setOptions(select, choices) {
	const pairs = choices.map((choice) => (Array.isArray(choice) ? choice : [choice, choice]));
	if ([...select.options].map(({ value }) => value).join('\n') === pairs.map(([value]) => value).join('\n'))
		return;
	const { value: chosen } = select;
	select.replaceChildren(...pairs.map(([value, words]) => element('option', { value }, words)));
	if (pairs.some(([value]) => value === chosen)) select.value = chosen;
}

/** Does not change a field that has the focus. */
export function setValue(field, value) {
	if (document.activeElement !== field) field.value = value;
}

/** Commas between the thousands. A number would lose digits. */
export function group(amount) {
	return amount.replace(/^\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** Local time of day. */
export function time(iso) {
	return new Date(iso).toLocaleTimeString();
}

/** Indents JSON without parsing it, because parsing would round numbers. */
export function indent(json) {
	let depth = 0;
	const breakLine = () => `\n${'  '.repeat(depth)}`;
	return json.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => {
		if (token === '{' || token === '[') {
			depth += 1;
			return token + breakLine();
		}
		if (token === '}' || token === ']') {
			depth -= 1;
			return breakLine() + token;
		}
		return token === ',' ? token + breakLine() : token === ':' ? ': ' : token;
	});
}
