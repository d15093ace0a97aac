/** Reads one item of Convert at Best Rate: a payment whose contract is chosen among those that the service offers when it is sent. */
import { getOperation, moneyFieldsOf } from '../../../../api/catalog.ts';
import type { Operation } from '../../../../api/catalog.ts';
import { multiply, readDecimal, subtract } from '../../../../api/exact/decimal.ts';
import { bestContract } from './bestContract.ts';
import type { ChosenContract } from './bestContract.ts';
import {
	CHOSEN_FIELDS,
	CONTRACT_SETTINGS,
	CONTRACT_SETTINGS_LABEL,
	CONVERT_AT_RATE,
	MINIMUM_RATE,
} from '../../input/convertAtRate.ts';
import { expectedOf } from '../../../shared/options/options.ts';
import type { OptionTable, ValuesOf } from '../../../shared/options/options.ts';
import { readOptionValues } from '../../../shared/options/readOptions.ts';
import { notSent, waiting } from '../../../shared/answers/failure.ts';
import { readInput } from '../../input/readInput.ts';
import type { ValidationIssue } from '../../../shared/result.ts';
import type { MoneyField, OtherField, ServiceRequest } from '../../../shared/serviceRequest.ts';
import type { Market, Offer } from './market.ts';
import { CONVERSION, LIMIT } from '../../input/paymentMessages.ts';
import { emptyOptions, limitsFromModel, unknownNames } from '../../input/options.ts';
import type { Payment, Prepared } from '../../input/payment.ts';
import { GuardedItem, readPayment } from '../../input/readChange.ts';
import type { PaymentParameters } from '../../input/readChange.ts';

/** The payment. Its contract is chosen when it is sent, so a key that was paid before needs none. */
export function readConversion(given: PaymentParameters, market: Market, isTool: boolean): Payment {
	const payment = readPayment(CONVERT_AT_RATE, given, isTool);
	const item = new GuardedItem(given);
	const { minimumRate, issues } = readRate(item, isTool);
	const settings = readSettings(item, isTool);
	const found = item.failure === undefined ? [...issues, ...settings.issues] : [item.failure];
	if (payment.issues.length > 0 || found.length > 0)
		return { ...payment, issues: [...payment.issues, ...found] };
	return {
		...payment,
		prepare: async () => {
			const offer = await market.offer();
			if ('failure' in offer) return { refusal: offer.failure };
			return chooseContract(payment, offer, { minimumRate, settings: settings.values });
		},
	};
}

interface Wanted {
	minimumRate: string;
	settings: ValuesOf<typeof CONTRACT_SETTINGS>;
}

function chooseContract(payment: Payment, offer: Offer, { minimumRate, settings }: Wanted): Prepared {
	const { amount = '', currency: from = '', destination: to = '' } = payment.request.money;
	const now = new Date().toISOString();
	const best = bestContract({ ...offer, from, to, amount, minimumRate, settings, now });
	if ('problem' in best) {
		const refusal = CONVERSION.hasNoContract(best.problem);
		return { refusal: best.waits === true ? waiting(refusal) : notSent(refusal) };
	}
	const giveBack = takeFrom(offer, best, { amount, availableIn: settings.availableIn });
	const chosen: Partial<Record<(typeof CHOSEN_FIELDS)[number], string>> = {
		contractId: best.contractId,
		quotedRate: best.rate,
		wantedRate: minimumRate,
		...(best.skipped !== undefined && { skippedContracts: best.skipped }),
	};
	return { payment: { ...payment, request: requestOf(payment.request, best), chosen }, giveBack };
}

/** What one item takes of a contract, the next items of the run cannot have. Returns what gives it back. */
function takeFrom(
	{ contracts }: Offer,
	{ contractId, listedRate }: ChosenContract,
	{ amount, availableIn }: { amount: string; availableIn: 'from' | 'to' },
): () => void {
	const contract = contracts.find((each) => each.contractId === contractId);
	const left = readDecimal(String(contract?.amountAvailable ?? ''));
	if (contract === undefined || left === undefined) return () => {};
	contract.amountAvailable = subtract(left, availableIn === 'to' ? multiply(amount, listedRate) : amount);
	// Items are paid one at a time.
	return () => (contract.amountAvailable = left);
}

/** The rate is a limit, so a model does not write it. */
function readRate(item: GuardedItem, isTool: boolean): { minimumRate: string; issues: ValidationIssue[] } {
	const written = { minimumRate: item.expression('minimumRate') };
	const fromModel = limitsFromModel(written, isTool, () => MINIMUM_RATE.label);
	if (fromModel.length > 0) return { minimumRate: '', issues: fromModel };
	const entered = { value: item.value('minimumRate'), expression: item.expression('minimumRate') };
	const read = readInput({ ...MINIMUM_RATE, kind: 'amount', roles: ['amount'] }, entered);
	if ('message' in read) return { minimumRate: '', issues: [read] };
	return { minimumRate: 'decimal' in read ? read.decimal : '', issues: [] };
}

/** They are limits of a rate. So what nobody can be sure of, or a model has written, is refused. */
function readSettings(item: GuardedItem, isTool: boolean) {
	const expression = item.expression('contractSettings');
	const written = Object(expression) as object;
	const known = Object.keys(CONTRACT_SETTINGS);
	const asWritten = [
		...unknownNames(expression, { label: CONTRACT_SETTINGS_LABEL, known }),
		...limitsFromModel(written, isTool, labelOfSetting),
	];
	const evaluated = asWritten.length > 0 ? {} : (Object(item.value('contractSettings')) as object);
	const given = { ...emptyOptions(written), ...evaluated };
	const { values, problems } = readOptionValues(CONTRACT_SETTINGS, given);
	const ofValues = problems.map(({ option, given: text }) =>
		LIMIT.isNot({ label: option.label, what: expectedOf(option), value: text.trim() }),
	);
	return { values, issues: asWritten.length > 0 ? asWritten : ofValues };
}

function labelOfSetting(name: string): string {
	const settings: OptionTable = CONTRACT_SETTINGS;
	return settings[name]?.label ?? name;
}

/** What goes out. The contract is no part of what a Payment Key stands for, because the next run may choose another one. */
function requestOf({ money }: ServiceRequest, { contractId, leastRate }: ChosenContract): ServiceRequest {
	const { amount = '', destination = '' } = moneyFieldsOf(endpointThatConverts());
	const fields = new Map<string, MoneyField | OtherField>([
		[destination, { value: contractId, isChosen: true }],
		[amount, { roles: ['amount'], isText: false }],
	]);
	return { money, fields, leastRate };
}

function endpointThatConverts(): Operation {
	return getOperation('instantLiquidity.convert');
}
