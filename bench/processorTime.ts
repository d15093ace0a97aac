import { existsSync, readFileSync } from 'node:fs';

/** Milliseconds of processor time that a process has used. NaN if the system does not tell (other than Linux). */
export function processorTime({ pid }: { pid: number }): number {
	const file = `/proc/${pid}/stat`;
	if (!existsSync(file)) return NaN;
	// The second field is a name in brackets that may contain spaces. After it, user and system time are in 1/100 s.
	const fields = readFileSync(file, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}
