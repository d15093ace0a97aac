/** What the clients do to the sandbox while it is killed. */
import type { SandboxConnection } from '../../host/sandboxProgram.ts';
import { call, control } from '../../host/sandboxClient.ts';

/** A change of a balance that the service has acknowledged. */
export interface Movement {
	code: string;
	amount: string;
	/** Id of its cause; an adjustment has none, so its code stands here. */
	reference: string;
}

export interface Acknowledged {
	movements: Movement[];
	/** Kind and id of the events that must follow. */
	events: string[];
}

/** Changes a balance by the amount. Returns what the service has acknowledged; throws Refused if it answers anything but 200. */
export type Action = (sandbox: SandboxConnection, amount: string) => Promise<Acknowledged>;

/** An answer that no kill explains. */
export class Refused extends Error {}

/** The field of an answer. */
async function accepted(answering: ReturnType<typeof call>, field: string): Promise<string> {
	const { status, text } = await answering;
	if (status !== 200) throw new Refused(`${status} ${text}`);
	return String((JSON.parse(text) as Record<string, unknown>)[field]);
}

export const ACTIONS: Action[] = [
	async (sandbox, amount) => {
		const body = `{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`;
		const reference = await accepted(call(sandbox, 'POST /v1/fiat_payout', body), 'payout_id');
		return { movements: [{ code: 'NGN', amount: `-${amount}`, reference }], events: [] };
	},
	async (sandbox, amount) => {
		const body = `{"coin":"USDC","amount":${amount},"wallet_alias":"treasury"}`;
		const reference = await accepted(call(sandbox, 'POST /v1/crypto_payout', body), 'payout_id');
		// Includes the fee of 0.5.
		const debited = amount.replace('0.0', '-0.5');
		return {
			movements: [{ code: 'USDC', amount: debited, reference }],
			events: [`crypto_payout_update ${reference}`],
		};
	},
	async (sandbox, amount) => {
		const body = `{"contract_id":"ic_usd_ngn","from_amount":${amount}}`;
		const answer = call(sandbox, 'POST /v1/instant_conversion', body);
		const reference = await accepted(answer, 'transaction_id');
		return { movements: [{ code: 'USD', amount: `-${amount}`, reference }], events: [] };
	},
	async (sandbox, amount) => {
		const body = `{"coin":"BTC","amount":${amount}}`;
		await accepted(call(sandbox, 'POST /v1/crypto_balance_update', body), 'coin');
		return { movements: [{ code: 'BTC', amount, reference: 'BTC' }], events: [] };
	},
	async (sandbox, amount) => {
		const deposit = { alias: 'customer-0042', amount };
		const reference = await accepted(control(sandbox, 'POST deposits', deposit), 'id');
		return {
			movements: [{ code: 'NGN', amount, reference }],
			events: [`virtual_account_credited ${reference}`],
		};
	},
	async (sandbox, amount) => {
		const deposit = { wallet_alias: 'deposits-usdt', coin: 'USDT', amount };
		const reference = await accepted(control(sandbox, 'POST deposits', deposit), 'id');
		return { movements: [{ code: 'USDT', amount, reference }], events: [`crypto_received ${reference}`] };
	},
	async (sandbox, amount) => {
		const funding = { asset: 'EUR', amount, direction: 'credit' };
		const reference = await accepted(control(sandbox, 'POST admin_funding', funding), 'id');
		return { movements: [{ code: 'EUR', amount, reference }], events: [`admin_funding ${reference}`] };
	},
];
