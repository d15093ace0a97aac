/** The names of those who have said yes, in one text with commas between them. */

/** The signs that stand between the names of several persons. */
export const BETWEEN_NAMES = /[,;，；、،؛\r\n]/;

/** The names of different people, as they were first written. Case, spaces, signs and forms of letters make none different. */
export function differentNames(text: string): string[] {
	const names = new Map<string, string>();
	for (const written of text.split(',').map((name) => name.trim())) {
		const compared = comparedPerson(written);
		if (compared !== '' && !names.has(compared)) names.set(compared, written);
	}
	return [...names.values()];
}

/** What one person has answered. A comma in it, as in `Obi, Ada`, makes no second name. */
export function asOneName(answer: string): string {
	return answer
		.split(BETWEEN_NAMES)
		.map((part) => part.trim())
		.filter((part) => part !== '')
		.join(' ');
}

function comparedPerson(name: string): string {
	return name
		.normalize('NFKC')
		.replace(/[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '')
		.toUpperCase()
		.toLowerCase();
}
