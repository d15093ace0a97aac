import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Milliseconds of processor time that a process has used; undefined if the system does not tell (other than Linux). */
export function processorTime({ pid }: { pid: number }): number | undefined {
	const file = `/proc/${pid}/stat`;
	if (!existsSync(file)) return undefined;
	// The second field is a name in brackets that may contain spaces. After it, user and system time are in 1/100 s.
	const fields = readFileSync(file, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds of all processors of the machine since it started. */
export function machineTime(): { busy: number; all: number } {
	const times = cpus().map((cpu) => cpu.times);
	const all = times.flatMap((time) => Object.values(time)).reduce((sum, time) => sum + time, 0);
	return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) };
}
