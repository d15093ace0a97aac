/** The time zone of a workflow. */

/** UTC for one that is none: n8n accepts any text, such as `DEFAULT` in an imported workflow, and the engine throws for it. */
export function timeZoneOf(context: { getTimezone(): string }): string {
	const given = context.getTimezone();
	try {
		new Intl.DateTimeFormat('en', { timeZone: given });
		return given;
	} catch {
		return 'UTC';
	}
}
