/** Texts to insert into a message, by name. */
export type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** Sentences as one text. */
export function sentences(...parts: string[]): string {
	return parts.join(' ');
}
