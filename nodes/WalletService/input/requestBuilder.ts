/** Collects the fields of a body. What they say about the money is taken out of them, so that it stands in one place. */
import type { MoneyFields } from '../../../api/catalog.ts';
import { isExactNumber } from '../../../api/exact/json.ts';
import { MONEY_ROLES } from '../../../api/shape.ts';
import type { MoneyRole } from '../../../api/shape.ts';
import type { ValidationIssue } from '../../shared/result.ts';
import type { MoneyField, OtherField, ServiceRequest } from '../../shared/serviceRequest.ts';

/** The request of an item, as far as it can be read, and everything that is wrong with it. With an issue, it must not be sent. */
export interface ReadRequest {
	request: ServiceRequest;
	issues: ValidationIssue[];
}

export class RequestBuilder {
	readonly issues: ValidationIssue[] = [];
	readonly #names: MoneyFields;
	readonly #money: { [Role in MoneyRole]?: string } = {};
	readonly #fields = new Map<string, MoneyField | OtherField>();

	/** `names`: the fields that hold the money, by role. */
	constructor(names: MoneyFields) {
		this.#names = names;
	}

	has(name: string): boolean {
		return this.#fields.has(name);
	}

	get isEmpty(): boolean {
		return this.#fields.size === 0;
	}

	/** Adds a field with the value that is to be sent. */
	add(name: string, value: unknown): void {
		const text = scalarText(value);
		const isText = typeof value === 'string';
		// The money in a list or an object cannot be read.
		const money = text === undefined ? undefined : this.#readMoney(name, { text, isText });
		this.#fields.set(name, money ?? { value });
	}

	/** Adds a field with a number that is to be sent, as its plain decimal text. */
	addNumber(name: string, decimal: string): void {
		const money = this.#readMoney(name, { text: decimal, isText: false });
		this.#fields.set(name, money ?? { value: decimal, isNumber: true });
	}

	/** Takes what the field says about the money. Undefined if it says nothing. */
	#readMoney(name: string, { text, isText }: { text: string; isText: boolean }): MoneyField | undefined {
		const [role, ...others] = MONEY_ROLES.filter((each) => this.#names[each] === name);
		if (role === undefined) return undefined;
		for (const each of [role, ...others]) this.#money[each] = text;
		return { roles: [role, ...others], isText };
	}

	/** The request with the fields that were added. */
	withBody(): ReadRequest {
		return { request: { money: this.#money, fields: this.#fields }, issues: this.issues };
	}

	/** A request without a body. */
	withoutBody(): ReadRequest {
		return { request: { money: this.#money }, issues: this.issues };
	}
}

/** The text of a value that is text or a number; undefined for any other. */
export function scalarText(value: unknown): string | undefined {
	if (isExactNumber(value)) return value.rawJSON;
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
