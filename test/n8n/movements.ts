/** Rows of the Data Table as those who read the book take them together. */
import type { IDataObject } from 'n8n-workflow';

import type { Json } from '../../host/n8n/client.ts';
import { fold } from '../../nodes/WalletServiceDesk/book/fold.ts';
import type { Movement } from '../../nodes/WalletServiceDesk/book/movement.ts';
import { readRows } from '../../nodes/WalletServiceDesk/book/row.ts';

export function movementsIn(rows: readonly Json[]): Movement[] {
	return fold(readRows(rows as IDataObject[]).rows, new Date().toISOString()).movements;
}
