/** What a model reads where items do not fit. */
export const LEFT_OUT = {
	records: (count: number) => `Records left out: ${count}.`,
};
