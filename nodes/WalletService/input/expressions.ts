/** Finds the expressions in what the author wrote. */

/** The expressions inside a text such as `=INV-{{ $json.invoice }}`. None if the whole text is one, whose value is the key. */
export function expressionsWithin(written: unknown): string[] {
	return onlyExpression(written) === undefined ? expressionsIn(written) : [];
}

/** The expression that a text is, apart from white space around it. */
export function onlyExpression(written: unknown): string | undefined {
	const [only, ...others] = expressionsIn(written);
	return others.length === 0 && String(written).slice(1).trim() === only ? only : undefined;
}

function expressionsIn(written: unknown): string[] {
	if (typeof written !== 'string' || !written.startsWith('=')) return [];
	return [...written.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([part]) => part);
}

/** Whether the value of such an expression can be a part of a key. */
export function isPartOfKey(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	return typeof value === 'number' ? Number.isFinite(value) : String(value).trim() !== '';
}
