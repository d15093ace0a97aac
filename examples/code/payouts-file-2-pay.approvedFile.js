/**
 * The file of the mail.
 * @param {N8n} n8n
 */
export function run({ $ }) {
	return [{ json: {}, binary: $('File').first().binary }];
}
