const { mkdir, writeFile } = require('node:fs/promises');
const { dirname } = require('node:path');
const { dest, parallel, src } = require('gulp');

/** What tsc does not build. Runs after it, since the schemas are made from the tables that it compiled. */
exports.default = parallel(copyFiles, writeOutputSchemas);

/** The icons and the nodes' codex files, at the same places below dist. */
function copyFiles() {
	return src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.' }).pipe(dest('dist'));
}

/** What an item looks like before the first run: n8n's editor reads it to let later nodes be built. */
async function writeOutputSchemas() {
	const { ENDPOINTS } = require('./dist/api/endpoints.js');
	const { EVENTS } = require('./dist/api/events.js');
	const { isList, UNDOCUMENTED } = require('./dist/api/shape.js');

	const operations = Object.entries(ENDPOINTS).flatMap(([resource, entry]) =>
		Object.entries(entry.operations).map(([operation, { response }]) => [
			`/${resource}/${operation}`,
			response,
		]),
	);
	const actions = operations
		.filter(([, response]) => response !== UNDOCUMENTED)
		.map(([path, response]) => [path, fieldsOf(isList(response) ? response.element : response)]);
	const events = Object.values(EVENTS).map(({ fields }) => fieldsOf(fields));
	const head = { event: TEXT, id: TEXT, deliveryKey: TEXT, receivedAt: TEXT };
	const trigger = Object.assign(head, ...events);

	const schemas = [
		...actions.map(([path, properties]) => [`v1.0.0${path}`, properties]),
		['v1.0.0', trigger],
	];
	for (const [name, properties] of schemas) {
		const file = `dist/nodes/WalletService/__schema__/${name}.json`;
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, JSON.stringify({ type: 'object', properties, version: 1 }));
	}

	/** The fields of a simplified item: all text, but for lists of codes. */
	function fieldsOf(shape) {
		return Object.assign(
			{},
			...Object.values(shape).map((entry) => {
				if (!Array.isArray(entry)) return fieldsOf(entry);
				const [name, kind] = entry;
				if (kind === 'money') return { [name]: TEXT, [`${name}Coin`]: TEXT };
				return { [name]: kind === 'list' ? { type: 'array', items: TEXT } : TEXT };
			}),
		);
	}
}

const TEXT = { type: 'string' };
