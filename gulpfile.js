const { mkdir, writeFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');
const { dest, parallel, src } = require('gulp');

const SCHEMAS = 'dist/nodes/WalletService/__schema__';

/** Adds to dist what tsc does not build. Runs after tsc, because it loads the compiled tables. */
exports.default = parallel(copyFiles, writeOutputSchemas);

/** The icons and the nodes' codex files, at the same places below dist. */
function copyFiles() {
	return src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.' }).pipe(dest('dist'));
}

async function writeOutputSchemas() {
	const { outputSchemas } = require('./dist/nodes/WalletService/outputSchema.js');
	for (const [path, schema] of Object.entries(outputSchemas())) {
		const file = join(SCHEMAS, path);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, JSON.stringify(schema));
	}
}
