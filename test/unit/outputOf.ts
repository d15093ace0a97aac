/** What a node has given out, as n8n shows it to a Code node or an expression. */
export const outputOf = (...all: object[]) => ({
	...{ isExecuted: all.length > 0, params: {} },
	all: () => all.map((json) => ({ json })),
	first: () => ({ json: all[0], binary: {} }),
});
