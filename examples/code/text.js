/**
 * No text can add a line, or a sign that nobody sees.
 * @param {unknown} text
 */
export const oneLine = (text) =>
	String(text ?? '')
		.replace(/[\p{C}\p{Z}]+/gu, ' ')
		.trim();

/**
 * No text can add a tag. n8n also evaluates braces, in a field of the kind HTML.
 * @param {string} text
 */
export const toHtml = (text) => text.replace(/[&<>{}\\]/g, (sign) => `&#${sign.codePointAt(0)};`);
