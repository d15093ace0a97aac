/** *Payout List: Report*: whether a second person must say yes. */
import type { IDataObject } from 'n8n-workflow';

import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import {
	needsSecondApproval,
	readSums,
	wantsSecond,
} from '../../nodes/WalletServiceDesk/list/report/secondApproval.ts';
import { AT, merged, NGN, report, row } from './reportItems.ts';

describe('a second approval', () => {
	const sums = (...sum: IDataObject[]) => readSums({ sum });
	const needs = (items: IDataObject[], option = sums({ code: 'ngn', amount: '10' })) =>
		needsSecondApproval(report(items).rows, option);

	test('is needed above the sum of what is left to pay, and not at it', () => {
		expect(needs([row(2), row(3)])).toBe(false);
		expect(needs([row(2), row(3, { amount: '5.0000000000000000001' })])).toBe(true);
		expect(needs([row(2), row(3), merged(4, 'alreadyPaid', { amount: '99' })])).toBe(false);
		expect(needsSecondApproval(report([row(2, { amount: '99' })]).rows, undefined)).toBe(false);
	});

	test.each<[what: string, item: IDataObject]>([
		['a code without a sum', { currency: 'USD' }],
		['no code', { currency: '' }],
		['two codes', { coin: 'USDT' }],
		['no amount', { amount: '' }],
		['an amount that nobody can be sure of', { amount: '1,250' }],
		['an amount below zero', { amount: '-5' }],
	])('is needed with %s', (_, item) => {
		expect(needs([row(2), row(3, item)])).toBe(true);
	});

	test.each<[number: number, given: unknown]>([
		...[undefined, null, '', ' ', 1, '1', ' 1 '].map((given) => [1, given] as [number, unknown]),
		...[2, '2', 3, 0, '0', 'two', true, false, {}].map((given) => [2, given] as [number, unknown]),
	])('%p people must say yes if a row needs %j of them, whatever the sum', (number, given) => {
		const items = [row(2), row(3, { approvalsNeeded: given as never })];
		const isSecondWanted = wantsSecond(items);
		const small = reportList({
			items,
			balances: [NGN],
			secondApprovalAbove: sums({ code: 'NGN', amount: '100' }),
			isSecondWanted,
			...AT,
		});
		expect(small).toMatchObject({ approvalsNeeded: number, needsSecondApproval: number === 2 });
		expect(JSON.stringify(small.rows)).not.toContain('approvalsNeeded');
		// Never lowered.
		const large = reportList({
			items,
			balances: [NGN],
			secondApprovalAbove: sums({ code: 'NGN', amount: '5' }),
			isSecondWanted,
			...AT,
		});
		expect(large).toMatchObject({ approvalsNeeded: 2, needsSecondApproval: true });
	});

	test('is needed for all if no sum is set', () => {
		expect(needs([row(2)], readSums({}))).toBe(true);
	});

	test.each<[what: string, option: unknown, message: string]>([
		['nothing', null, 'cannot be read'],
		['a text', 'NGN 5', 'cannot be read'],
		['an odd sum', { sum: [{ code: 'NGN', amount: '1,000' }] }, "The sum '1,000' of 'NGN' cannot be read"],
		['no code', { sum: [{ code: '', amount: '1' }] }, 'cannot be read'],
		['no list', { sum: 5 }, 'cannot be read'],
		['no entry', { sum: [null] }, 'cannot be read'],
		[
			'a code twice',
			{ sum: ['NGN', 'ngn'].map((code) => ({ code, amount: '1' })) },
			"'NGN' has more than one sum",
		],
	])('refuses %s', (_, option, message) => {
		expect(() => readSums(option)).toThrow(message);
	});
});
