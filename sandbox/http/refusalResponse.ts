/** Refusals as HTTP: the status of each reason, and the error body. Invented, because the document shows neither. */
import { Refusal } from '../ledger/refusal.ts';
import type { RefusalCode } from '../ledger/refusal.ts';

const STATUS: Record<RefusalCode, number> = {
	invalid_request: 400,
	unauthorized: 401,
	forbidden: 403,
	not_found: 404,
	conflict: 409,
	payment_key_under_way: 409,
	too_large: 413,
	unsupported_media_type: 415,
	currency_mismatch: 422,
	insufficient_balance: 422,
	destination_not_whitelisted: 422,
	amount_not_available: 422,
	payment_key_reused: 422,
};

/** The response to a caught Refusal. Any other error is thrown again. */
export function refusalResponse(error: unknown): Response {
	if (!(error instanceof Refusal)) throw error;
	const { code, message, field } = error;
	return errorResponse(STATUS[code], { code, message, field });
}

export function errorResponse(
	status: number,
	error: { code: string; message: string; field?: string },
	headers?: Record<string, string>,
): Response {
	return Response.json({ error }, { status, headers });
}
