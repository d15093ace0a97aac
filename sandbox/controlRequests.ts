/** The schemas of the larger control requests. */
import { z } from 'zod/v4';
import type { VerificationSettings } from '../api/signature/settings.ts';
import { anyAmount, code, integer, text } from './requests.ts';

export const empty = z.object({});

/** Limits the lists that grow. */
export const last = z.object({
	last: z
		.string()
		.regex(/^[1-9]\d{0,5}$/, 'must be a whole number above zero')
		.transform(Number)
		.default(Infinity)
		.meta({ description: 'How many of the newest entries each growing list shows; all if left out' }),
});

/** Accepts any case: `whitelisted` becomes `Whitelisted`. */
export const decision = text
	.transform((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
	.pipe(z.enum(['Whitelisted', 'Rejected', 'Pending']))
	.meta({ description: 'Whitelisted, Rejected or Pending' });

export const fiatDeposit = z.object({
	alias: text.meta({ description: 'Alias of the virtual account' }),
	amount: anyAmount,
	sender_bank: text.default('First Example Bank'),
	sender_account_name: text.default('Ada Obi'),
	sender_account_number: text.default('0011223344'),
});

export const cryptoDeposit = z.object({
	wallet_alias: text.meta({ description: 'Alias of the crypto wallet' }),
	coin: code,
	amount: anyAmount,
});

export const adminFundingRequest = z.object({
	asset: code,
	amount: anyAmount,
	direction: text
		.transform((word) => word.toLowerCase())
		.pipe(z.enum(['credit', 'debit']))
		.meta({ description: 'credit or debit' }),
	funding_request: text.optional().meta({ description: 'Id of the proof of payment' }),
});

const milliseconds = integer(0, 86_400_000);

export const timingSettings = z.strictObject({
	settleAfterMs: milliseconds
		.nullable()
		.optional()
		.meta({ description: 'Time until a pending payout succeeds; null: never' }),
	retryDelayMs: milliseconds.optional().meta({ description: 'Time between two attempts of a delivery' }),
	deliveryTimeoutMs: milliseconds
		.optional()
		.meta({ description: 'How long an attempt waits for the response' }),
});

/** Names and values as in the credential. */
export const signingSettings: z.ZodType<VerificationSettings> = z.strictObject({
	webhookVerification: z.enum(['none', 'token', 'hmac']),
	webhookHeader: text.optional(),
	webhookSecret: text.optional(),
	webhookPreviousSecret: z.string().optional(),
	webhookSecretEncoding: z.enum(['utf8', 'hex', 'base64']).optional(),
	webhookAlgorithm: z.enum(['sha256', 'sha384', 'sha512']).optional(),
	webhookPayload: z.string().optional(),
	webhookSignatureFormat: z.string().optional(),
	webhookTimestampHeader: z.string().optional(),
	webhookIdHeader: z.string().optional(),
	webhookTolerance: integer(0, 86_400).optional(),
});
