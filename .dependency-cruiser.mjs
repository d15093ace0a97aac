/**
 * The architecture as rules: api <- credentials, nodes/shared <- each node; api <- sandbox <- host <- bench, soak, test. No circles,
 * neither of files nor of folders. Types count as imports. Part of `npm run lint`.
 */

const DESK = 'nodes/WalletServiceDesk';
const TRIGGER = 'nodes/WalletServiceTrigger';
const ACTION = 'nodes/WalletService';
const API = ['api', 'api/exact'];
const SHARED = ['nodes/shared', 'nodes/shared/answers', 'nodes/shared/http', 'nodes/shared/options'];
const FOR_MODELS = 'nodes/shared/agent';
const EDITOR = 'nodes/shared/editor';

/**
 * Each folder of the published code, and the folders whose files it may import beside its own. A folder imports only folders that
 * stand before it, so there is no circle. test/unit/folders.test.ts holds that no folder is missing.
 */
export const folders = {
	'api/exact': [],
	api: ['api/exact'],
	'api/signature': API,
	credentials: [...API, 'api/signature'],

	'nodes/shared': API,
	[FOR_MODELS]: [...API, 'nodes/shared'],
	[EDITOR]: [FOR_MODELS],
	'nodes/shared/paymentKey': [...API, 'nodes/shared'],
	'nodes/shared/options': [...API, 'nodes/shared'],
	'nodes/shared/store': ['nodes/shared'],
	'nodes/shared/answers': [...API, 'nodes/shared'],
	'nodes/shared/http': [...API, 'api/signature', 'nodes/shared', 'nodes/shared/answers'],

	[`${TRIGGER}/once`]: [...API, 'nodes/shared', 'nodes/shared/store'],
	[`${TRIGGER}/findSettings`]: [...API, 'api/signature'],
	[TRIGGER]: [
		...API,
		'api/signature',
		...SHARED,
		'nodes/shared/store',
		`${TRIGGER}/once`,
		`${TRIGGER}/findSettings`,
	],

	[`${DESK}/values`]: [...API, 'nodes/shared', 'nodes/shared/paymentKey'],
	[`${DESK}/operation`]: [...API, ...SHARED, `${DESK}/values`],
	[`${DESK}/page`]: [...API, 'nodes/shared'],
	...deskFolders({
		book: [],
		list: ['book'],
		'list/report': ['list'],
		'list/read': ['list'],
		'list/decisions': ['list', 'list/report'],
		'list/agent': ['list/report'],
		'book/make': ['book'],
		'book/reconcile': ['book'],
		'book/alerts': ['book'],
		workflows: [],
	}),

	[`${ACTION}/agent`]: [...API, ...SHARED, FOR_MODELS],
	[`${ACTION}/input`]: [...API, ...SHARED, 'nodes/shared/paymentKey', `${ACTION}/agent`],
	[`${ACTION}/payments/guards`]: [
		...API,
		...SHARED,
		'nodes/shared/paymentKey',
		'nodes/shared/store',
		`${ACTION}/input`,
	],
	[`${ACTION}/payments/convertAtRate`]: [...API, ...SHARED, `${ACTION}/input`],
	[`${ACTION}/payments/payList`]: [
		...API,
		...SHARED,
		FOR_MODELS,
		'nodes/shared/paymentKey',
		`${ACTION}/agent`,
		`${ACTION}/input`,
	],
	[`${ACTION}/payments`]: [
		...API,
		...SHARED,
		'nodes/shared/store',
		`${ACTION}/input`,
		`${ACTION}/payments/guards`,
		`${ACTION}/payments/convertAtRate`,
	],
};

/** What a folder of the desk may import: the service, what nodes share, its own tools, and the folders that are named. */
function deskFolders(named) {
	const tools = ['values', 'operation', 'page'].map((name) => `${DESK}/${name}`);
	const rows = Object.entries(named).map(([name, more]) => [
		`${DESK}/${name}`,
		[
			...API,
			'api/signature',
			...SHARED,
			'nodes/shared/paymentKey',
			...tools,
			...more.map((each) => `${DESK}/${each}`),
		],
	]);
	return Object.fromEntries(rows);
}

folders[`${DESK}/list/agent`].push(FOR_MODELS);

const deskAll = Object.keys(folders).filter((folder) => folder.startsWith(`${DESK}/`));
folders[DESK] = [...API, ...SHARED, FOR_MODELS, EDITOR, ...deskAll];
folders[`${ACTION}/editor`] = [...API, ...SHARED, EDITOR, `${ACTION}/agent`, `${ACTION}/input`];
folders[ACTION] = [
	...API,
	...SHARED,
	FOR_MODELS,
	'nodes/shared/store',
	...Object.keys(folders).filter((folder) => folder.startsWith(`${ACTION}/`)),
];

/** Published code may use n8n-workflow, zod and node:crypto; api/ only the last. The rest may use any module of Node.js. */
const packagesOf = (folder) => [
	'^(node:)?crypto$',
	...(folder.startsWith('api') ? [] : ['node_modules/n8n-workflow/']),
	...(folder.startsWith('nodes') ? ['node_modules/zod/'] : []),
];

const filesIn = (folder) => `^${folder}/[^/]+$`;

/** The sandbox: the ledger knows no HTTP and no clock of its own, and the machine around it serves nothing. */
const LEDGER = ['^api/', '^sandbox/ledger/'];
const MACHINE = [...LEDGER, '^sandbox/machine/', 'node_modules/undici/'];

const layers = {
	'sandbox/ledger': LEDGER,
	'sandbox/machine': MACHINE,
	sandbox: [...MACHINE, '^sandbox/', 'node_modules/(zod|hono|@hono)/'],
	host: ['^host/', '^sandbox/', 'node_modules/', '^jest\\.config\\.mjs$'],
	bench: ['^bench/', '^(api|credentials|nodes|sandbox|host)/', 'node_modules/'],
	soak: ['^soak/', '^(api|credentials|nodes|sandbox|host)/', 'node_modules/'],
};

/** @type {(name: string) => { name: string, severity: 'error' }} */
const forbids = (name) => ({ name, severity: 'error' });
/** @type {import('dependency-cruiser').DependencyType[]} */
const CORE = ['core'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		{ ...forbids('no-circles'), from: {}, to: { circular: true } },
		{ ...forbids('no-broken-imports'), from: {}, to: { couldNotResolve: true } },
		...Object.entries(folders).map(([folder, allowed]) => ({
			...forbids(`${folder}-imports-only-its-folders`),
			from: { path: filesIn(folder) },
			to: { pathNot: [...[folder, ...allowed].map(filesIn), ...packagesOf(folder)] },
		})),
		...Object.entries(layers).map(([layer, allowed]) => ({
			...forbids(`${layer}-imports-only-its-layers`),
			from: { path: `^${layer}/` },
			to: { pathNot: allowed, dependencyTypesNot: CORE },
		})),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '(^|/)node_modules/.*/node_modules/' },
		// Its type wants `override` too, which would replace the whole list.
		builtInModules: /** @type {any} */ ({ add: ['node:sqlite'] }),
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'test/tsconfig.json' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'default', 'types'],
		},
	},
};
