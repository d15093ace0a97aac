/** Amounts to check exactness with. */
import fc from 'fast-check';

const digit = fc.integer({ min: 0, max: 9 });

/** Plain decimals above zero of up to 38 digits, with trailing zeros: 7, 0.10, 90071992547409931234.500. */
export const amount: fc.Arbitrary<string> = fc
	.tuple(fc.array(digit, { minLength: 1, maxLength: 38, size: 'max' }), fc.nat())
	.filter(([digits]) => digits.some((each) => each > 0))
	.map(([digits, place]) => {
		const text = digits.join('');
		const point = place % text.length;
		const whole = text.slice(0, text.length - point).replace(/^0+(?=\d)/, '');
		return point === 0 ? whole : `${whole}.${text.slice(-point)}`;
	});

/** A text that is the same for equal numbers, however they are written: 150.0 and 1.5e2 give 15e1. */
export function worth(written: unknown): string {
	const [mantissa = '', exponent = '0'] = String(written).split('e');
	const [whole = '', fraction = ''] = mantissa.split('.');
	const digits = (whole + fraction).replace(/^0+/, '');
	const significant = digits.replace(/0+$/, '');
	return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** The text of the amount in a request body, exactly as sent. */
export function amountIn(body: string): string | undefined {
	return /"amount":([^,}]*)[,}]/.exec(body)?.[1];
}
