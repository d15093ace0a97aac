/** Makes payments old, because a person may decide about one only when its request is over for sure. */
import type { Queue } from '../n8n/queue.ts';
import type { Stack } from '../stack.ts';
import { withDatabase } from './database.ts';

/** The rows that say when payments began: `begun` of paymentKeys.ts, in n8n's table of processed items. */
const FORGET_TIMES = "DELETE FROM processed_data WHERE context LIKE 'n:wallet-service begun %'";

/** As if every payment so far had begun long ago. `queue`: if n8n keeps its data in PostgreSQL. */
export async function ageKeys(stack: Pick<Stack, 'n8n'>, queue?: Pick<Queue, 'database'>): Promise<void> {
	if (queue === undefined) withDatabase(stack, (database) => database.exec(FORGET_TIMES));
	else await queue.database.execute(FORGET_TIMES);
}
