import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Makes `gc` available without a command line option, so that tests can use it too.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes on the heap after a full garbage collection. */
export function heapAfterCollection(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}
