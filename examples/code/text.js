/**
 * No text can add a line, or a sign that nobody sees.
 * @param {unknown} text
 */
export const oneLine = (text) =>
	String(text ?? '')
		.replace(/[\p{C}\p{Z}]+/gu, ' ')
		.trim();

/**
 * No text can add a tag.
 * @param {string} text
 */
export const toHtml = (text) => text.replace(/[&<>\\]/g, (sign) => `&#${sign.codePointAt(0)};`);
