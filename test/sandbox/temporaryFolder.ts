import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory where the system has such a folder: with a slow disk, databases take longer than all the rest of a test. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder that is there until the tests of the file have ended. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(parent, 'sandbox-'));
	afterAll(() => rmSync(folder, { recursive: true }));
	return folder;
}
