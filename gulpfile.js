const { mkdir, writeFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');
const { dest, parallel, src } = require('gulp');

/** Adds to dist what tsc does not build. Runs after tsc, because it loads the compiled tables. */
exports.default = parallel(copyFiles, writeOutputSchemas);

/** The icons and the nodes' codex files, at the same places below dist. */
function copyFiles() {
	return src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.' }).pipe(dest('dist'));
}

/**
 * JSON Schemas of the items that the nodes return. n8n's editor reads them to offer fields before the first run, from
 * `__schema__/v<node version>/<resource>/<operation>.json` beside the node.
 */
async function writeOutputSchemas() {
	const { isChange, moneyFieldsOf, movesMoney } = require('./dist/api/catalog.js');
	const { EVENTS } = require('./dist/api/events.js');
	const { camelCase, coinFieldName, fieldOf, isField, isList, UNDOCUMENTED } = require('./dist/api/shape.js');

	const { DESK_OPERATIONS } = require('./dist/nodes/WalletServiceDesk/operations.js');
	const { OPERATIONS } = require('./dist/nodes/WalletService/input/operations.js');
	const { CHOSEN_FIELDS, CONVERT_AT_RATE } = require('./dist/nodes/WalletService/input/convertAtRate.js');
	const { PAY_LIST, PAYOUTS_OF_LIST } = require('./dist/nodes/WalletService/input/payList.js');

	const text = (...names) => names.map((name) => [name, { type: 'string' }]);
	const listOfTexts = { type: 'array', items: { type: 'string' } };
	const flag = (name) => [[name, { type: 'boolean' }]];

	/** The properties of an item. Amounts are text, because a JSON number loses digits. */
	const propertiesOf = (shape) =>
		Object.entries(shape).flatMap(([key, entry]) => {
			if (!isField(entry)) return propertiesOf(entry.record);
			const [name, kind] = fieldOf(key, entry);
			if (kind === 'list') return [[name, listOfTexts]];
			return kind === 'money' ? text(name, coinFieldName(name)) : text(name);
		});

	/** The fields that each item of a change has beside the response; those of a payment are more. */
	const ownFieldsOf = (operation) => {
		if (!isChange(operation)) return [];
		if (!movesMoney(operation)) return ['result', 'requestId'];
		const made = operation === PAY_LIST ? PAYOUTS_OF_LIST : [operation];
		const money = made.flatMap((each) => Object.values(moneyFieldsOf(each)));
		const chosen = operation === CONVERT_AT_RATE ? CHOSEN_FIELDS : [];
		return ['result', 'paymentKey', ...money.map(camelCase), 'requestId', ...chosen];
	};

	/** A row as *Read* gives it goes along to its result. */
	const propertiesOfRow = (operation) => {
		if (operation !== PAY_LIST) return [];
		const { item } = DESK_OPERATIONS.find(({ id }) => id === 'list.read');
		return Object.entries(item).map(([name, type]) => [name, { type }]);
	};

	const write = async (path, properties, node = 'WalletService') => {
		const file = join('dist/nodes', node, '__schema__', path);
		const schema = { type: 'object', properties: Object.fromEntries(properties), version: 1 };
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, JSON.stringify(schema));
	};

	for (const each of OPERATIONS) {
		const { resource, operation, response } = each;
		if (response === UNDOCUMENTED) continue;
		const shape = isList(response) ? response.element : response;
		const flags = movesMoney(each) ? flag('dryRun') : [];
		if (each === CONVERT_AT_RATE) flags.push(...flag('waiting'), ...flag('belowMinimum'));
		const properties = [
			...propertiesOfRow(each),
			...text(...ownFieldsOf(each)),
			...flags,
			...propertiesOf(shape),
		];
		await write(`v1.0.0/${resource}/${operation}.json`, properties);
	}
	for (const { resource, operation, item } of DESK_OPERATIONS) {
		const properties = Object.entries(item).map(([name, type]) => [name, { type }]);
		await write(`v1.0.0/${resource}/${operation}.json`, properties, 'WalletServiceDesk');
	}
	const added = [...text('event', 'id', 'deliveryKey', 'receivedAt'), ['notFiltered', listOfTexts]];
	const ofEvents = Object.values(EVENTS).flatMap(({ fields }) => propertiesOf(fields));
	await write('v2.0.0.json', [...added, ...ofEvents], 'WalletServiceTrigger');
}
