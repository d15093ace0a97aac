import { randomInt } from 'node:crypto';
import { nightlyParts } from '../../jest.config.mjs';
import { say, succeeds } from './processes.mjs';

/** package.json and docs/set-up/install.md promise these versions. Only older n8n versions than that start on this Node.js. */
const OLDEST_NODE = '22.16.0';
const OLDEST_N8N = ['--n8n', '2.35.7', '--node', '22.22.0'];

/** Runs what takes too long for `npm test`, one after the other, and all of it even if something fails. Returns the exit code. */
export async function runNightly() {
	const commands = [
		['bench', '--short'],
		['soak', '--short'],
		['test', 'unit', 'deskRead'],
		['test', 'queue', 'nightly'],
		...nightlyParts.map((part) => ['test', part]),
		['coverage'],
		['test', 'n8n'],
		['test', 'headless', '--node', OLDEST_NODE],
		['test', 'n8n', ...OLDEST_N8N],
		['test', 'unit', 'paymentKeyModel'],
	];
	// With the files that are named so, such as those of queue mode.
	process.env.NIGHTLY ??= 'yes';
	// As n8n is without settings of ours.
	process.env.EXPRESSION_ENGINE ??= 'default';
	// More of what `npm test` does, too.
	process.env.DESK_FILES ??= '10000';
	process.env.ALL_AGENTS ??= 'yes';
	process.env.PAYMENT_KEY_MODEL_MINUTES ??= '120';
	// Each night other random numbers.
	process.env.TEST_SEED ??= String(randomInt(2 ** 31));
	say(`Random tests and soaks use TEST_SEED=${process.env.TEST_SEED}`);
	let failures = 0;
	for (const command of commands) {
		const name = ['nightly', ...command].join('-').replaceAll(/-+/g, '-');
		const launcher = [process.execPath, 'host/launcher/main.mjs', ...command];
		if (!(await succeeds(name, `Running ${command.join(' ')}`, launcher))) failures++;
	}
	say(`${commands.length - failures} of ${commands.length} passed. Their output is in .local/logs/`);
	return failures === 0 ? 0 : 1;
}
