/**
 * The program behind `npm run demo`: runs the sandbox, and an n8n with nothing of the package in it, until Ctrl-C. VERIFICATION.md says
 * what to show. With `--packed`, n8n has the package as it would be published, to rehearse before it is.
 */
import { parseArgs } from 'node:util';
import { startBare, startSingleProcess, TEMPORARY_OWNER } from './stack.ts';
import { startN8n } from './n8n/process.ts';

const say = (text: string) => process.stderr.write(`${text}\n`);

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { packed: { type: 'boolean', default: false } } });
	const interrupted = new Promise<void>((done) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => done());
	});
	say('Starting the sandbox of the service and an empty n8n (takes about ten seconds)');
	const { sandbox, n8n, stop } = await startBare(
		values.packed ? startSingleProcess : async (userFolder) => await startN8n({ userFolder }),
	);
	try {
		say(`
n8n is ready. It has no workflow, no credential and ${values.packed ? 'the packed package' : 'not the package'}.
  Editor:   ${n8n.url}
  Log-in:   ${TEMPORARY_OWNER.email}  ${TEMPORARY_OWNER.password}
  Sandbox:  ${sandbox.url}  (open "What to enter in n8n's credential" before you record)

VERIFICATION.md says what to show. Ctrl-C stops everything and deletes this n8n.
`);
		await interrupted;
	} finally {
		await stop();
	}
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		say(`npm run demo failed: ${error.message}`);
		process.exit(1);
	},
);
