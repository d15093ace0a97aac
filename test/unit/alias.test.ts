/** What counts as the same alias: for keys, limits, the duplicate check, lists, reports and alerts. */
import { comparedAlias, isSameAlias } from '../../nodes/shared/alias.ts';

test.each([
	['supplier-main', 'supplier-main'],
	['Supplier-MAIN', 'supplier-main'],
	['  supplier  main\u00a0', 'supplier main'],
	['supplier\u200b-main\ufeff', 'supplier-main'],
	['\uff53upplier\u2011main', 'supplier-main'],
	['Mu\u0308ller', 'm\u00fcller'],
])('%j is compared as %j, which rows of n8n hold', (alias, compared) => {
	expect(comparedAlias(alias)).toBe(compared);
	expect(isSameAlias(alias, compared)).toBe(true);
});

test.each([
	['supplier-main', 'supplier main'],
	['supplier-main', 'suppliermain'],
	['supplier', 'suppli\u0435r'],
	['42', '0042'],
	['', 'x'],
])('%j and %j are two', (one, other) => {
	expect(isSameAlias(one, other)).toBe(false);
});
