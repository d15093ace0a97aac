/** What a test file shows when one of its tests fails. */
export type ShownWhenFailed = { shownWhenFailed?: Show[] };
type Show = (test: string) => string | Promise<string>;

/** When a test of this file fails, prints what `show` returns. `environment.ts` calls it. */
export function whenFailed(show: Show): void {
	((globalThis as ShownWhenFailed).shownWhenFailed ??= []).push(show);
}
