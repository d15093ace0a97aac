/** The documentation names what exists: tests, files, headings, operations, events, settings and messages. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CATALOG } from '../../api/catalog.ts';
import { EVENTS } from '../../api/events.ts';
import { CREDENTIAL_TEST, DELIVERY_REFUSAL, SETTING } from '../../api/messages.ts';
import { SETTINGS } from '../../api/signature/settings.ts';
import { UNDOCUMENTED } from '../../api/shape.ts';
import {
	INPUT,
	LIMIT,
	PAYMENT,
	PAYMENT_KEY,
	REFUSAL,
	STOPPED,
	UNCLEAR,
} from '../../nodes/WalletService/action/messages.ts';
import { MESSAGES as TRIGGER_MESSAGES } from '../../nodes/WalletService/trigger/messages.ts';

const read = (file: string) => readFileSync(file, 'utf8');

/** The links and pictures of a document: `[words](target)`, `<img src="target">`. */
const linksIn = (document: string) =>
	[...read(document).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
		([, words = '', target, picture]) => ({ words, target: target ?? picture ?? '' }),
	);

const documents = globSync(['*.md', '{docs,sandbox}/*.md']);

describe('docs/features.md', () => {
	const proofs = linksIn('docs/features.md').filter(({ words }) => words !== 'one of them');
	const tests = proofs.filter(({ target }) => target.endsWith('.ts'));

	test('docs/features.md links to tests', () => expect(tests.length).toBeGreaterThan(30));

	test.each(tests)('$target has a test with the title $words', ({ words, target }) => {
		// A title follows a bracket: `test('…'`, `describe('…'`, `test.each(…)('…'`.
		const titles = [...read(join('docs', target)).matchAll(/\(\s*(['"`])(.+?)\1,/g)].map(
			([, , title = '']) => title,
		);
		expect(titles).toContain(words);
	});
});

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsIn = (document: string) =>
	[...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replaceAll(' ', '-'),
	);

test.each(documents)('%s links to existing files and headings only', (document) => {
	const missing = linksIn(document)
		.map(({ target }) => target)
		.filter((target) => !/^https?:/.test(target))
		.filter((target) => {
			const [name = '', anchor] = target.split('#');
			const file = name === '' ? document : join(dirname(document), name);
			return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
		});
	expect(missing).toEqual([]);
});

test('the editor links to headings of the documentation', () => {
	const sources = globSync('{credentials,nodes}/**/*.{ts,json}').map(read).join('\n');
	const links = [
		...sources.matchAll(
			/n8n-nodes-wallet-service\/n8n-nodes-wallet-service(?:\/blob\/main\/([^#"'\s]+))?#([\w-]+)/g,
		),
	].map(([, document = 'README.md', anchor = '']) => ({ document, anchor }));
	expect(links.length).toBeGreaterThan(4);
	expect(links.filter(({ document, anchor }) => !anchorsIn(document).includes(anchor))).toEqual([]);
});

describe('README.md and docs/operations.md', () => {
	/** The cells of the table below a heading; a first cell that is empty repeats the one above it. */
	const tableOf = (document: string, heading: string) => {
		const [, section = ''] = read(document).split(`\n## ${heading}\n`);
		let above = '';
		return [...section.replace(/\n## [^]*/, '').matchAll(/^\|(.*)\|$/gm)].slice(2).map(([, row = '']) => {
			const [first = '', ...rest] = row.split('|').map((cell) => cell.trim());
			if (first !== '') above = first;
			return [above, ...rest];
		});
	};

	test('README.md has its parts in the order in which people need them', () => {
		const headings = [...read('README.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
		expect(headings).toEqual([
			...['Try it on your computer', 'Install', 'Credential', 'Your first payout', 'Your first event'],
			...['Payouts from a file', 'Safety', 'Words', 'Guides', 'License'],
		]);
	});

	test('README.md has 1,000 to 1,200 words', () => {
		const words = read('README.md').trim().split(/\s+/).length;
		expect(words).toBeGreaterThanOrEqual(1000);
		expect(words).toBeLessThanOrEqual(1200);
	});

	test('README.md links to each guide', () => {
		const targets = linksIn('README.md').map(({ target }) => target);
		expect(globSync('docs/*.md').filter((guide) => !targets.includes(guide))).toEqual([]);
	});

	test.each([
		...['**Paid once.**', '**Checked as a whole.**', '**When the result is unknown**', '**Limits**'],
		...['**Fiat payouts report no status.**', 'n8n 2.0 or newer'],
	])('README.md promises or warns: %s', (words) => {
		expect(read('README.md').replace(/\s+/g, ' ')).toContain(words);
	});

	test('README.md explains five words', () => {
		expect(tableOf('README.md', 'Words').map(([word]) => word)).toEqual([
			...['Settlement account', 'Alias', 'Whitelisted', 'Virtual account', 'Payment Key'],
		]);
	});

	test('docs/operations.md lists each operation by its name in the editor, and marks the undocumented ones', () => {
		const names = CATALOG.map(({ resourceName, name, response }) =>
			[resourceName, name + (response === UNDOCUMENTED ? ' \\*' : '')].join(': '),
		);
		const listed = tableOf('docs/operations.md', 'Operations').map(
			([resource, name]) => `${resource}: ${name}`,
		);
		expect(listed.sort()).toEqual(names.sort());
	});

	test('docs/operations.md lists each event by its name in the editor', () => {
		const listed = tableOf('docs/operations.md', 'Events').map(([name]) => name);
		expect(listed.sort()).toEqual(
			Object.values(EVENTS)
				.map(({ name }) => name)
				.sort(),
		);
	});
});

test('each picture is shown in a document', () => {
	const shown = documents.flatMap((document) =>
		linksIn(document).map(({ target }) => join(dirname(document), target)),
	);
	expect(globSync('docs/screenshots/*').filter((picture) => !shown.includes(picture))).toEqual([]);
});

test('a setting of the credential that a document names in bold or italics is in the form', () => {
	const labels: string[] = Object.values(SETTINGS).map(({ label }) => label);
	const named = documents.flatMap((document) =>
		[...read(document).matchAll(/\*((?:Previous )?(?:Webhook|Signature) [A-Z][\w ]*)\*/g)].map(
			([, name = '']) => name,
		),
	);
	// Short for Webhook Signature Format, as docs/verify-webhooks.md says; and labels of n8n.
	const others = ['Signature Format', 'Webhook URL', 'Webhook URLs'];
	expect(named.length).toBeGreaterThan(40);
	expect(named.filter((name) => ![...labels, ...others].includes(name))).toEqual([]);
});

describe('docs/troubleshoot.md', () => {
	const tables: Array<Record<string, string | ((...inserted: string[]) => string | { message: string })>> = [
		...[INPUT, LIMIT, PAYMENT, PAYMENT_KEY, REFUSAL, STOPPED, UNCLEAR],
		...[SETTING, DELIVERY_REFUSAL, CREDENTIAL_TEST],
		TRIGGER_MESSAGES,
	];
	// The document shows … or an example in place of each inserted text.
	const inserted = Array.from({ length: 5 }, () => '…');
	const messages = tables.flatMap((table) =>
		Object.values(table).map((text) => {
			const filled = typeof text === 'string' ? text : text(...inserted);
			return typeof filled === 'string' ? filled : filled.message;
		}),
	);

	test('more than sixty messages are compared with docs/troubleshoot.md', () =>
		expect(messages.length).toBeGreaterThan(60));

	test.each(messages)('docs/troubleshoot.md says what to do about: %s', (message) => {
		const [sentence = ''] = message.split('. ');
		const pieces = sentence.split('…').map((piece) => piece.trim());
		const [longest = ''] = pieces.sort((a, b) => b.length - a.length);
		expect(longest).not.toBe('');
		expect(read('docs/troubleshoot.md')).toContain(longest);
	});

	// Without the inserted text, too little of these would be compared.
	test.each([
		...['API Key', 'Signature', 'Signature Secret', 'Timestamp', 'Webhook Header', 'Webhook Secret'].map(
			(label) => SETTING.isEmpty(label),
		),
		SETTING.secretIsNotEncoded('Signature Secret', 'hex'),
	])('docs/troubleshoot.md has the whole message: %s', (message) => {
		expect(read('docs/troubleshoot.md')).toContain(`\`${message}\``);
	});
});
