/** The documentation names what exists: files, headings, operations, events, settings, messages and examples. Its prose is free. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OPERATIONS } from '../../nodes/WalletService/input/operations.ts';
import { DESK_OPERATIONS } from '../../nodes/WalletServiceDesk/operations.ts';
import { headingOf } from '../../nodes/WalletServiceDesk/runOperation.ts';
import { HEADINGS } from '../../nodes/shared/guide.ts';
import { EVENTS, type EventField, type EventKind } from '../../api/events.ts';
import { coinFieldName, fieldOf, isField, UNDOCUMENTED, type RecordShape } from '../../api/shape.ts';
import { FORM } from '../../credentials/form.ts';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { LABELS } from '../../nodes/WalletServiceTrigger/outputs.ts';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceDesk } from '../../nodes/WalletServiceDesk/WalletServiceDesk.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts';
import { tableOf } from '../fixtures/documentTables.ts';

const read = (file: string) => readFileSync(file, 'utf8');

/** The links and pictures of a document: `[words](target)`, `<img src="target">`. */
const targetsIn = (document: string) =>
	[...read(document).matchAll(/\[[^\]]*\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
		([, target, picture]) => target ?? picture ?? '',
	);

const documents = globSync(['*.md', '{docs/**,sandbox,test}/*.md']);
/** What a user reads of the nodes. */
const guides = globSync(['README.md', 'docs/**/*.md']);

describe('links', () => {
	/** The anchors of a document's headings, as GitHub makes them. */
	const anchorsIn = (document: string) =>
		[...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
			heading
				.toLowerCase()
				.replace(/[^\w\s-]/g, '')
				.replaceAll(' ', '-'),
		);

	test.each(documents)('%s links to existing files and headings only', (document) => {
		const missing = targetsIn(document)
			.filter((target) => !/^https?:/.test(target))
			.filter((target) => {
				const [name = '', anchor] = target.split('#');
				const file = name === '' ? document : join(dirname(document), name);
				return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
			});
		expect(missing).toEqual([]);
	});

	test('the editor links to pages and headings of the documentation', () => {
		const sources = globSync('{credentials,nodes,examples}/**/*.{ts,json}').map(read).join('\n');
		const link = /github\.com\/[\w.-]+\/[\w.-]+(?:\/blob\/main\/([^#"'\s]+))?(?:#([\w-]+))?/g;
		const links = Array.from(sources.matchAll(link), ([, document = 'README.md', anchor]) => ({
			document,
			anchor,
		}));
		expect(links.length).toBeGreaterThan(4);
		const isThere = ({ document, anchor }: { document: string; anchor?: string }) =>
			existsSync(document) && (anchor === undefined || anchorsIn(document).includes(anchor));
		expect(links.filter((link) => !isThere(link))).toEqual([]);
	});

	test('messages link to headings of the guides', () => {
		const ofDesk = DESK_OPERATIONS.map(({ id }) => headingOf(id));
		const missing = [...Object.values(HEADINGS), ...ofDesk].filter(([heading]) => {
			const [file = '', anchor] = heading.split('#');
			const guide = join('docs', file);
			return !existsSync(guide) || (anchor !== undefined && !anchorsIn(guide).includes(anchor));
		});
		expect(missing).toEqual([]);
	});

	test('README.md links to each guide', () => {
		const targets = targetsIn('README.md');
		expect(globSync('docs/**/*.md').filter((guide) => !targets.includes(guide))).toEqual([]);
	});

	test('each picture is in a document', () => {
		const shown = documents.flatMap((document) =>
			targetsIn(document).map((target) => join(dirname(document), target)),
		);
		const files = globSync('docs/screenshots/*');
		expect(files.filter((file) => !shown.includes(file))).toEqual([]);
	});
});

test('docs/set-up/examples.md has each example with its address, behind all that it calls', () => {
	interface Example {
		name: string;
		nodes: Array<{ parameters: { workflowId?: { cachedResultName?: string } } }>;
	}
	const address = /^https:\/\/raw\.githubusercontent\.com\/[\w.-]+\/[\w.-]+\/main\//;
	const page = tableOf('docs/set-up/examples.md', 'Which, and in which order');
	const links = page.map(([, link = '']) => /^\[(.*)\]\((.*)\)$/.exec(link)?.slice(1) ?? []);
	const files = links.map(([, target = '']) => target.replace(address, ''));
	const examples = files.map((file) => JSON.parse(read(file)) as Example);
	const names = examples.map(({ name }) => name);
	const rows = examples.map(({ name, nodes }, index) => {
		const called = nodes.map(({ parameters }) => parameters.workflowId?.cachedResultName ?? '');
		const numbers = [...new Set(called)].filter(Boolean).map((other) => names.indexOf(other) + 1);
		expect(numbers.every((number) => number > 0 && number <= index)).toBe(true);
		return [String(index + 1), name, numbers.sort((a, b) => a - b).join(', ')];
	});
	expect(page.map(([number, , , calls], index) => [number, links[index]![0], calls])).toEqual(rows);
	expect(files.sort()).toEqual(globSync('examples/*.json').sort());
});

test('the image of docs/set-up/install.md has the versions that the tests know', () => {
	const versionIn = (file: string, path: string[]) =>
		path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(read(file)));
	const [, n8n, ours] = /^FROM .*:(.+)\nRUN .*@(.+)$/m.exec(read('docs/set-up/install.md'))!;
	expect([n8n, ours]).toEqual([
		versionIn('host/package.json', ['dependencies', 'n8n']),
		versionIn('package.json', ['version']),
	]);
});

test('test/PROMISES.md names every file of tests', () => {
	const named = targetsIn('test/PROMISES.md').map((target) => join('test', target));
	const files = globSync('test/**/*.test.ts', { exclude: ['test/*/node_modules'] });
	expect(files.filter((file) => !named.includes(file))).toEqual([]);
});

test.each(globSync('docs/**/*.md'))('%s says at its top for whom it is', (guide) => {
	expect(read(guide)).toMatch(/^# .+\n\nFor people who /);
});

test('a message that names an example names one that exists', () => {
	const titles = globSync('examples/*.json').map((file) => (JSON.parse(read(file)) as { name: string }).name);
	const messages = globSync('nodes/**/*.ts').map(read).join('\n');
	const named = [...messages.matchAll(/example '([^']+)'/g)].map(([, name]) => name);
	expect(named.length).toBeGreaterThan(2);
	expect(named.filter((name) => !titles.includes(name ?? ''))).toEqual([]);
});

test.each([
	['did my fiat payout arrive', 'docs/operate/run-your-payouts.md#did-my-payout-arrive'],
	['how do I get a chat message', 'docs/set-up/examples.md#mails-and-chats'],
	['what if n8n restarted', 'docs/operate/run-your-payouts.md#if-n8n-stops-or-restarts'],
	['what do I back up', 'docs/set-up/back-up-and-restore.md'],
	['how do I bound an agent', 'docs/reference/agents.md'],
	['how do I go live', 'docs/set-up/examples.md#go-live'],
])('%s: README.md leads to the answer', (_question, answer) => {
	expect(targetsIn('README.md')).toContain(answer);
});

test('docs/operate/run-your-payouts.md has what to do for all that a stop of n8n can leave', () => {
	const left = tableOf('docs/operate/run-your-payouts.md', 'If n8n stops or restarts').map(([what]) => what);
	const payments = ['payments by *pay once*', 'payouts from a file', 'a payment without a key'];
	expect(left.sort()).toEqual([...payments, 'a question to a person', 'an event', 'a mail'].sort());
});

test('README.md lists each operation and each event by its name in the editor', () => {
	const listed = tableOf('README.md', 'Operations and events').flatMap(([, resource, names = '']) =>
		names.split(', ').map((name) => `${resource}: ${name}`),
	);
	const names = [...OPERATIONS, ...DESK_OPERATIONS].map(
		({ resourceName, name }) => `${resourceName}: ${name}`,
	);
	expect(listed.sort()).toEqual(names.sort());
	const [, events = ''] = /at these events: ([^.]+)\./.exec(read('README.md')) ?? [];
	expect(events.split(/,\s+/).map((name) => name.replace(/\s+/g, ' '))).toEqual(
		Object.values(EVENTS).map(({ name }) => name),
	);
});

describe('docs/reference/operations.md', () => {
	test('it lists each operation by its name in the editor, and marks the undocumented ones', () => {
		const endpoints = OPERATIONS.map(({ resourceName, name, response }) =>
			[resourceName, name + (response === UNDOCUMENTED ? ' \\*' : '')].join(': '),
		);
		const ofDesk = DESK_OPERATIONS.map(({ resourceName, name }) => `${resourceName}: ${name}`);
		const listedUnder = (heading: string) =>
			tableOf('docs/reference/operations.md', heading).map(([resource, name]) => `${resource}: ${name}`);
		expect(listedUnder('Operations').sort()).toEqual(endpoints.sort());
		expect(listedUnder('Desk').sort()).toEqual(ofDesk.sort());
	});

	test('it lists each event by its name in the editor', () => {
		const listed = tableOf('docs/reference/operations.md', 'Events').map(([name]) => name);
		const names = Object.values(EVENTS).map(({ name }) => name);
		expect(listed.sort()).toEqual(names.sort());
	});
});

test('docs/reference/events.md has each event with its output, whether its states come back, and its fields', () => {
	const namesIn = (cell: string) => cell.replace(/`|\(.*?\)|\s/g, '').split(',');
	const rows = tableOf('docs/reference/events.md', 'What comes out').map(
		([event, output, comesBack, fields = '']) => [event, output, comesBack, ...namesIn(fields).sort()],
	);
	const labels = new Map<string, string>(Object.entries(LABELS));
	const fieldsOf = (shape: RecordShape): string[] =>
		Object.entries(shape).flatMap(([key, entry]) => {
			if (!isField(entry)) return fieldsOf(entry.record);
			const [name, kind] = fieldOf(key, entry);
			return kind === 'money' ? [name, coinFieldName(name)] : [name];
		});
	const kinds: Array<[string, EventKind]> = Object.entries(EVENTS);
	const expected = kinds.map(([event, { isReview, fields }]) => {
		const names = fieldsOf(fields).filter((name) => name !== 'id');
		return [`\`${event}\``, labels.get(event), isReview ? 'yes' : 'no', ...names.sort()];
	});
	expect(rows).toEqual(expected);
});

test('docs/reference/events.md has the fields with a role, beside the id and the status, as those that tell events apart', () => {
	const isCounted = (field: EventField) =>
		typeof field !== 'string' && !['none', 'id', 'status', undefined].includes(field.role);
	const kinds: Array<[string, EventKind]> = Object.entries(EVENTS);
	const expected = kinds.map(([event, { fields }]) => {
		const counted = Object.entries(fields).filter(([, field]) => isCounted(field));
		return [`\`${event}\``, counted.map(([key, field]) => fieldOf(key, field)[0])];
	});
	const rows = tableOf('docs/reference/events.md', 'Each event once').slice(0, expected.length);
	expect(rows.map(([event, names = '']) => [event, names.replaceAll('`', '').split(', ')])).toEqual(expected);
});

describe('names', () => {
	/** Every text below these keys. */
	const textsUnder = (value: unknown, keys: string[]): string[] =>
		Object.entries(Object(value) as object).flatMap(([key, inner]: [string, unknown]) =>
			typeof inner === 'string' ? (keys.includes(key) ? [inner] : []) : textsUnder(inner, keys),
		);
	const examples = globSync('examples/*.json').map((file): unknown => JSON.parse(read(file)));
	const nodes = [new WalletService(), new WalletServiceDesk(), new WalletServiceTrigger()].map(
		({ description }) => description,
	);
	const names = new Set([
		...textsUnder([nodes, FORM, new WalletServiceApi()], ['displayName', 'name', 'action']),
		...textsUnder(examples, ['name', 'option']),
		...Object.values(LABELS),
		// n8n lists a trigger once for each of its events.
		...Object.values(EVENTS).map(({ name }) => `On ${name.toLowerCase()}`),
	]);
	/** Names of n8n, of the service and of a spreadsheet. */
	const others = [
		'Actions',
		'AI Agent',
		'Authentication',
		'Available in MCP',
		'Basic Auth',
		'Chat Trigger',
		'Community nodes',
		"Couldn't connect with these settings",
		'Credentials',
		'Execute step',
		'Enable MCP access',
		'Execute Sub-workflow',
		'Execute workflow',
		'Executions',
		'HTTP Request',
		'From file',
		'From URL',
		'Import',
		'Install',
		'Instance-level MCP',
		'Max Iterations',
		'MCP Server Trigger',
		'More details',
		'On Error',
		'Webhook URL',
		'Test URL',
		'Production URL',
		'Publish',
		'Retry',
		'Retry execution',
		'Retry On Fail',
		'Save',
		'Settings',
		'Stop',
		'Uninstall',
		'Update',
		'Use again',
		'Webhook URLs',
		'API and webhooks',
		'Whitelisted',
		'CSV UTF-8',
		'Predefined Credential Type',
		'Selected workflows',
		'This workflow can be called by',
	];
	const isKnown = (name: string) => names.has(name) || others.includes(name);

	test('each name in bold or italics is in the editor or in an example', () => {
		const named = guides.flatMap((document) =>
			[...read(document).matchAll(/(?<![*\\\w])(\*\*?)([A-Z][^*]*?)\1(?![*\w])/g)]
				.map(([, , words = '']) => words.replace(/\s+/g, ' '))
				// A stressed sentence, not a name.
				.filter((words) => !/[.:?]$/.test(words) || isKnown(words)),
		);
		expect(named.length).toBeGreaterThan(100);
		const unknown = named
			.filter((name) => !isKnown(name))
			.flatMap((name) => name.split(/: | → /))
			.filter((name) => !isKnown(name));
		expect(unknown).toEqual([]);
	});
});

describe('docs/reference/troubleshoot.md', () => {
	// The document shows … or an example in place of each inserted text.
	const messages = globSync('{api,nodes}/**/messages.ts')
		.map((file) => read(file).replace(/\$\{[^}]*\}/g, '…'))
		.flatMap((source) => [...source.matchAll(/`([^`]*)`|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)])
		.map(([, template, single, double]) => (template ?? single ?? double ?? '').replaceAll("\\'", "'"));
	const sources = globSync('nodes/**/*.ts').map(read).join('\n');
	/** Whether a text is the pattern, which has … in place of any text. */
	const fits = (text: string, pattern: string) => {
		const pieces = pattern.split('…').map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
		return new RegExp(`^${pieces.join('.*')}$`).test(text);
	};
	const quoted = [...read('docs/reference/troubleshoot.md').matchAll(/^\| (.*?) \|/gm)]
		.flatMap(([, symptom = '']) => [...symptom.matchAll(/`([^`{]* [^`]*)`/g)])
		.map(([, quote = '']) => quote);

	test('it quotes messages', () => expect(quoted.length).toBeGreaterThan(20));

	test.each(quoted)('the code has the message: %s', (quote) => {
		const isMessage = messages.some(
			(message) => message !== '' && (fits(quote, message) || fits(message, quote)),
		);
		expect(isMessage || sources.includes(quote)).toBe(true);
	});
});
