/** One item of a run, read. It moves from here to its result, and what others ask about it is derived from its money. */
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { moneyFieldsOf } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import { canonical } from '../../../api/exact/decimal.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { canonicalJson } from '../../../api/exact/json.ts';
import { camelCase, MONEY_ROLES } from '../../../api/shape.ts';
import { comparedAlias } from '../../shared/alias.ts';
import type { Failure, ValidationIssue } from '../../shared/result.ts';
import { isCountedInDestination, otherFieldsOf } from '../../shared/serviceRequest.ts';
import type { Money, ServiceRequest } from '../../shared/serviceRequest.ts';
import type { GivenKey, PaymentKey } from '../../shared/paymentKey/keyText.ts';
import type { PaymentOptions } from './options.ts';

/** What makes two payments different, by a word for it. */
export type PaymentDetails = Record<string, string>;

export interface KeyedPayment {
	key: PaymentKey;
	details: PaymentDetails;
}

/** What two payments that are alike have in common. */
export interface Likeness {
	/** Who pays. */
	account: string;
	/** ID of the operation. */
	operation: string;
	/** Plain decimal, without zeros that say nothing. */
	amount: string;
	currency: string;
	destination: string;
}

/** A row of a list that fewer than two people have approved, where such rows have a limit by day. */
export interface OneApproval {
	/** `currency NGN`, `coin USDT` */
	asset: string;
	/** What they may add up to in a day. */
	maximum: string;
	/** It is only checked, and nobody has said yes yet. */
	mayWait: boolean;
	/** The row says itself that it needs two people or more. */
	saysItself: boolean;
}

/** A change that moves no money is a payment without money, key and limits. */
export interface Payment {
	operation: Operation;
	request: ServiceRequest;
	options: PaymentOptions;
	simplify: boolean;
	/** From *Request Options*: proxy and time-out of its request. */
	connection: Partial<IHttpRequestOptions>;
	/** The Payment Key. Undefined: none, or none that is text. */
	key?: GivenKey;
	/** What the node chooses for it at the instant at which it is sent; undefined: nothing. */
	prepare?(): Promise<Prepared>;
	/** What the node has chosen. The item of a payment that was sent shows it. */
	chosen?: IDataObject;
	/** A row of a list: what a person says of it stands in its fields. */
	isRow?: boolean;
	/** A row that nobody has approved yet. It is only checked. */
	isUnapproved?: boolean;
	/** Undefined: two people have approved it, or that does not count here. */
	ofOne?: OneApproval;
	/** Nothing is sent for any item of the run while one has an issue. */
	issues: ValidationIssue[];
}

/**
 * A payment that can be sent, or why it is not sent now, although nothing is wrong with it. `giveBack`: lets the next payments of the
 * run have what was chosen for it.
 */
export type Prepared = { payment: Payment; giveBack(): void } | { refusal: Failure };

/** What an item shows of a payment. */
interface ShownPayment {
	key?: GivenKey;
	money: Money;
}

/**
 * The fields that every item of a payment has, whatever its result, so that a table of them has one row shape: `paymentKey`,
 * and amount, currency or coin and destination under the names of a paid row. What cannot be read is left out.
 */
export function rowOf(endpoint: Endpoint, { key, money }: ShownPayment): IDataObject {
	const names = moneyFieldsOf(endpoint);
	const row: IDataObject = key === undefined ? {} : { paymentKey: key.written };
	for (const role of MONEY_ROLES) {
		const name = names[role];
		const text = money[role];
		if (name !== undefined && text !== undefined) row[camelCase(name)] = text;
	}
	return row;
}

/** What a payment must share with another one to be the same payment, by a word for it. */
export function detailsOf({ operation, request }: Payment): PaymentDetails {
	const { amount, currency, destination } = request.money;
	return {
		operation: operation.id,
		amount: amount === undefined ? '' : canonical(amount),
		currency: currency?.toUpperCase() ?? '',
		// The ID of a contract is no alias: its case may count.
		destination: isCountedInDestination(request) ? (destination ?? '') : comparedAlias(destination ?? ''),
		'field of the request': canonicalJson(Object.fromEntries(otherFieldsOf(request))),
	};
}

/** What a payment must share with another one to be a duplicate of it, whatever their keys and other fields. What is held in doubt can be meant. */
export function likenessOf({ operation, request }: Payment, account: string): Likeness {
	const { amount, currency = '', destination = '' } = request.money;
	return {
		account,
		operation: operation.id,
		amount: amount === undefined ? '' : canonical(amount),
		currency: comparedAlias(currency),
		destination: comparedAlias(destination),
	};
}

/** What a key stands for. `account`: who pays. */
export function keyedPaymentOf(payment: Payment, key: PaymentKey, account: string): KeyedPayment {
	return { key, details: { account, ...detailsOf(payment) } };
}
