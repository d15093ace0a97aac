/** One run of the node over its items, or one try of it: what it is given, and what it asks of n8n and of the service. */
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../api/catalog.ts';
import type { ServiceClient } from '../../shared/http/client.ts';
import type { Failure } from '../../shared/result.ts';
import type { Payment } from '../input/payment.ts';
import type { Market } from './convertAtRate/market.ts';
import type { GuardPort } from './guards/order.ts';

export interface Run extends Omit<GuardPort, 'account'> {
	operation: Operation;
	/** Those of its payments: a list has payouts of two kinds. */
	operations: readonly Operation[];
	/** Reads each of the items. */
	items: Array<() => Payment>;
	client: ServiceClient;
	/** Why nothing is sent for any item. */
	obstacle?: Failure;
	/** Whether a model calls. Such a run pays only within limits. */
	isTool: boolean;
	/** Whether the run goes on after a failed item. A model reads an item in every version of its agent, but not every thrown message. */
	continueOnFail: boolean;
	/** The items of a list, whose fields go along to the results. */
	rows?: readonly IDataObject[];
	/** What the service offers; only for an operation whose contract the node chooses. */
	market?: Market;
}
