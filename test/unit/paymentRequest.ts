/** A request of a payment, as it was sent, for tests of the answers to it. */
import type { MoneyRole } from '../../api/shape.ts';
import type { ServiceRequest } from '../../nodes/shared/serviceRequest.ts';

const ROLES: Record<string, MoneyRole> = {
	amount: 'amount',
	from_amount: 'amount',
	currency: 'currency',
	coin: 'currency',
	account_alias: 'destination',
	wallet_alias: 'destination',
};

/** `fields`: those that hold the money, with their texts. */
export function paymentRequest(fields: Record<string, string>): ServiceRequest {
	const named = Object.entries(fields).map(([name, text]) => ({ name, text, role: ROLES[name]! }));
	return {
		money: Object.fromEntries(named.map(({ role, text }) => [role, text])),
		fields: new Map(named.map(({ name, role }) => [name, { roles: [role], isText: role !== 'amount' }])),
	};
}
