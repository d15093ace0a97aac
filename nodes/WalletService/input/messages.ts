/** What is said of parameters. Parameters of the functions are texts to insert. */
import type { SmallUnit } from '../../shared/smallUnit.ts';
import { marked } from '../../shared/wording.ts';
import type { Texts } from '../../shared/wording.ts';

type WrongAmount = Texts<'label' | 'reason' | 'value' | 'placeholder'>;

/** Input that cannot be sent. A model is told to correct what it has sent itself. */
export const INPUT = marked('input', {
	isEmpty: ({ label, placeholder }: Texts<'label' | 'placeholder'>) => ({
		message: `'${label}' is empty`,
		description: `Enter a value for '${label}', ${placeholder}`,
	}),
	isNotText: ({ label, placeholder }: Texts<'label' | 'placeholder'>) => ({
		message: `'${label}' is not text`,
		description: `Enter text for '${label}', ${placeholder}`,
	}),
	isSmallUnit: ({ label, value, unit, whole, code }: SmallUnit & Texts<'label' | 'value'>) => ({
		message: `'${label}' ${value} is ${unit}`,
		description: `Write the amount in ${whole}, and '${label}' ${code}`,
	}),
	isNotWebAddress: ({ label, value, placeholder }: Texts<'label' | 'value' | 'placeholder'>) => ({
		message: `'${label}' is not a web address: ${value}`,
		description: `Enter an address that begins with https:// for '${label}', ${placeholder}`,
	}),
	isNotPlainDecimal: ({ label, reason, value, placeholder }: WrongAmount) => ({
		message: `'${label}' ${reason}: ${value}`,
		description: `Enter '${label}' as plain digits with a point before the decimals, ${placeholder}`,
	}),
	hasOtherForm: ({ label, format, value }: Texts<'label' | 'format' | 'value'>) => ({
		message: `'${label}' does not have the form ${format}: ${value}`,
		description: `Write '${label}' in this form, or choose another 'Amount Format'`,
	}),
	hasWrongSign: ({ label, reason, value, placeholder }: WrongAmount) => ({
		message: `'${label}' ${reason}: ${value}`,
		description: `Enter '${label}' without a sign, and above zero, ${placeholder}`,
	}),
	lostDigits: ({ label, value }: Texts<'label' | 'value'>) => ({
		message: `'${label}' came as the number ${value}, which may have lost digits`,
		description: `Pass '${label}' as text, so that every digit is kept`,
	}),
	fieldIsTwice: (name: string) => ({
		message: `The body would have '${name}' twice`,
		description: `Remove '${name}' from 'Body Fields', or choose another name for it`,
	}),
	fieldHasNoName: () => ({
		message: "A field in 'Body Fields' has no name",
		description: "Enter the name of the field from your account's documentation, or remove the field",
	}),
	bodyIs: (what: string) => ({
		message: `'Request Body' is ${what}`,
		description: 'Enter a JSON object in \'Request Body\', such as {"alias": "main"}, or fix its expression',
	}),
	bodyLostDigits: (value: string) => ({
		message: `'Request Body' has the number ${value}, which may have lost digits`,
		description:
			'Write the body as JSON text instead of an expression that makes an object, or write the number as text',
	}),
});

/** Where an amount with a comma may be what the author means. */
export const OR_AMOUNT_FORMAT = "or add the option 'Amount Format'";
