/** What the service offers for conversions: its contracts and published rates, as a run knows them. */
import type { IDataObject } from 'n8n-workflow';

import { Stopwatch } from '../../../../api/deadline.ts';
import { readList } from '../../../shared/http/fetch.ts';
import type { ServiceClient } from '../../../shared/http/client.ts';
import type { Failure } from '../../../shared/result.ts';
import { waiting } from '../../../shared/answers/failure.ts';
import { CONVERSION } from '../../input/paymentMessages.ts';

export interface Offer {
	contracts: IDataObject[];
	rates: IDataObject[];
}

/** Milliseconds after which the service may offer something else. */
const VALID = 10_000;

export class Market {
	readonly #client: ServiceClient;
	#fetched: Stopwatch | undefined;
	#offer: Offer | { failure: Failure } | undefined;

	constructor(client: ServiceClient) {
		this.#client = client;
	}

	/** What the service offers, not older than ten seconds. Once it cannot be read, it is not asked again. */
	async offer(): Promise<Offer | { failure: Failure }> {
		const isValid = this.#fetched !== undefined && this.#fetched.most <= VALID;
		if (this.#offer !== undefined && (isValid || 'failure' in this.#offer)) return this.#offer;
		this.#fetched = new Stopwatch();
		this.#offer = await fetchOffer(this.#client, this.#fetched);
		return this.#offer;
	}
}

/** An answer that comes later than it is valid is none. */
async function fetchOffer(client: ServiceClient, since: Stopwatch): Promise<Offer | { failure: Failure }> {
	const within = { since, beginWithin: VALID, endWithin: VALID };
	const [contracts, rates] = await Promise.all([
		readList(client, 'instantLiquidity.getContracts', within),
		readList(client, 'rate.getAll', within),
	]);
	if (!contracts.ok) return { failure: waiting(CONVERSION.cannotReadContracts(contracts.failure.message)) };
	// Without them, nobody could say which of the contracts has a rate that is far off.
	if (!rates.ok) return { failure: waiting(CONVERSION.cannotReadRates(rates.failure.message)) };
	return { contracts: contracts.items, rates: rates.items };
}
