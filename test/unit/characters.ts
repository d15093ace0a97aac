/** All characters but those of the planes 3 to 13, 15 and 16, which have rare ideographs, characters for private use, or nothing. */
export const CHARACTERS = Array.from({ length: 0xe1000 }, (_, code) => code)
	.filter((code) => code < 0x30000 || code >= 0xe0000)
	.map((code) => String.fromCodePoint(code));
