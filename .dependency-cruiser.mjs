/**
 * The architecture as rules: api <- credentials, nodes, sandbox <- host <- bench, soak, test, and no circles. Types count as
 * imports. Part of `npm run lint`.
 */
const layers = {
	api: ['^api/', '^(node:)?crypto$'],
	credentials: ['^credentials/', '^api/', 'node_modules/n8n-workflow/', '^(node:)?crypto$'],
	nodes: ['^nodes/', '^api/', 'node_modules/n8n-workflow/', '^(node:)?crypto$'],
	sandbox: ['^sandbox/', '^api/', 'node_modules/(undici|zod|hono|@hono)/'],
	host: ['^host/', '^sandbox/', 'node_modules/', '^jest\\.config\\.mjs$'],
	bench: ['^bench/', '^(api|credentials|nodes|sandbox|host)/', 'node_modules/'],
	soak: ['^soak/', '^(api|credentials|nodes|sandbox|host)/', 'node_modules/'],
};
/** Published code may use node:crypto only; the rest any module of Node.js. */
const withoutNodeModules = ['api', 'credentials', 'nodes'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		{ name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
		{ name: 'no-broken-imports', severity: 'error', from: {}, to: { couldNotResolve: true } },
		{
			name: 'action-and-trigger-share-no-file',
			severity: 'error',
			from: { path: '^nodes/WalletService/(action|trigger)/' },
			to: { path: '^nodes/WalletService/(action|trigger)/', pathNot: '^nodes/WalletService/$1/' },
		},
		{
			name: 'shared-knows-neither-action-nor-trigger',
			severity: 'error',
			from: { path: '^nodes/WalletService/shared/' },
			to: { path: '^nodes/WalletService/(action|trigger|desk)/' },
		},
		{
			name: 'desk-imports-api-and-shared-only',
			severity: 'error',
			from: { path: '^nodes/WalletService/desk/' },
			to: { path: '^nodes/', pathNot: '^nodes/WalletService/(desk|shared)/' },
		},
		{
			name: 'only-the-action-knows-the-desk',
			severity: 'error',
			from: { path: '^nodes/', pathNot: '^nodes/WalletService/(desk|action)/' },
			to: { path: '^nodes/WalletService/desk/' },
		},
		{
			name: 'parameters-import-nothing-else-of-the-action',
			severity: 'error',
			from: { path: '^nodes/WalletService/action/parameters/' },
			to: {
				path: '^nodes/WalletService/action/',
				pathNot: '^nodes/WalletService/action/parameters/',
			},
		},
		{
			name: 'request-and-call-know-no-other-room',
			severity: 'error',
			from: { path: '^nodes/WalletService/action/(request|call)/' },
			to: {
				path: '^nodes/WalletService/action/(parameters|change|tool|request|call)/',
				pathNot: '^nodes/WalletService/action/$1/',
			},
		},
		{
			name: 'what-reads-and-what-remembers-know-nothing-of-what-pays',
			severity: 'error',
			from: { path: '^nodes/WalletService/action/change/(read|remember)/' },
			to: { path: '^nodes/WalletService/action/change/pay/' },
		},
		{
			name: 'what-remembers-reads-no-parameters',
			severity: 'error',
			from: { path: '^nodes/WalletService/action/change/remember/' },
			to: { path: '^nodes/WalletService/action/(change/read|request|call|tool)/' },
		},
		...Object.entries(layers).map(([layer, allowed]) => ({
			name: `${layer}-imports-only-its-layers`,
			severity: 'error',
			from: { path: `^${layer}/` },
			to: {
				pathNot: allowed,
				...(withoutNodeModules.includes(layer) ? {} : { dependencyTypesNot: ['core'] }),
			},
		})),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '(^|/)node_modules/.*/node_modules/' },
		builtInModules: { add: ['node:sqlite'] },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'test/tsconfig.json' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'default', 'types'],
		},
	},
};
