/** Things of one name, together. */

/** Puts a value behind those that have its name. */
export function addTo<Name, Value>(groups: Map<Name, Value[]>, name: Name, value: Value): void {
	const group = groups.get(name);
	if (group === undefined) groups.set(name, [value]);
	else group.push(value);
}

/** The values by name, in their order. One without a name ('') stands alone. */
export function groupsOf<Value extends object>(values: Value[], nameOf: (value: Value) => string): Value[][] {
	const groups = new Map<string | Value, Value[]>();
	for (const value of values) addTo(groups, nameOf(value) || value, value);
	return [...groups.values()];
}
