/** Deliveries that the settings of the credential do not accept. Parameters of the functions are texts to insert. */
import { sentences } from '../texts.ts';
import type { Texts } from '../texts.ts';

/** Why a delivery is refused. The sender reads it too. */
export const DELIVERY_REFUSAL = {
	headerIsMissing: (header: string) => `The header ${header} is missing`,
	headerHasOtherToken: (header: string) => `The header ${header} does not contain the expected token`,
	headerHasOtherForm: (header: string) => `The header ${header} does not have the expected form`,
	headerIsTooLong: (header: string) => `The header ${header} is too long`,
	signatureDoesNotMatch: 'The signature does not match the body',
	timestampIsUnreadable:
		'The signature is right, but the time of the delivery cannot be read. Check Webhook Timestamp Header and Webhook Signature Format in the credential',
	timestampHasSeparator: sentences(
		'The signature is right, but the time of the delivery contains the sign between time and ID, so it is not clear where the ID begins.',
		'Ask the service to send the time as a whole number, or as a date that ends with Z',
	),
	timestampIsFarAway: ({ seconds, tolerance }: Texts<'seconds' | 'tolerance'>) =>
		sentences(
			`The signature is right, but the time of the delivery is ${seconds} seconds away from the time here, and Webhook Tolerance is ${tolerance}.`,
			'If the service repeats a delivery with its first time, set Webhook Tolerance higher in the credential.',
			'If not, check the clock of the machine that runs n8n',
		),
};
