/** Which nodes come after which, and which workflows call which: names, and arrows between them. */
import { isRecord } from '../../../api/exact/json.ts';
import { addTo } from '../values/groups.ts';

/** For each name, the names that come next. */
export type Links = ReadonlyMap<string, readonly string[]>;

/** The type of a connection through which items go. Through the others, an agent uses a tool, a model or a memory. */
const MAIN = 'main';

/**
 * The links of a workflow as n8n stores its connections. An agent comes before its tools. Undefined if a part of it cannot be
 * read.
 */
export function linksOf(connections: unknown): Links | undefined {
	if (connections === undefined) return new Map();
	if (!isRecord(connections)) return undefined;
	const pairs: Array<[string, string]> = [];
	for (const [source, byType] of Object.entries(connections)) {
		if (!isRecord(byType)) return undefined;
		for (const [type, outputs] of Object.entries(byType)) {
			const targets = targetsOf(outputs);
			if (targets === undefined) return undefined;
			for (const target of targets) pairs.push(type === MAIN ? [source, target] : [target, source]);
		}
	}
	return linksFrom(pairs);
}

/** The names of the nodes to which outputs lead. An output without a connection may be null. */
function targetsOf(outputs: unknown): string[] | undefined {
	if (!Array.isArray(outputs)) return undefined;
	const names: string[] = [];
	for (const output of outputs as unknown[]) {
		if (output === null || output === undefined) continue;
		if (!Array.isArray(output)) return undefined;
		for (const target of output as unknown[]) {
			if (!isRecord(target) || typeof target.node !== 'string') return undefined;
			names.push(target.node);
		}
	}
	return names;
}

/** From pairs of a name and one that comes next. */
export function linksFrom(pairs: ReadonlyArray<readonly [string, string]>): Links {
	const links = new Map<string, string[]>();
	for (const [from, to] of pairs) addTo(links, from, to);
	return links;
}

export function reversed(links: Links): Links {
	const pairs: Array<[string, string]> = [];
	for (const [from, targets] of links) for (const to of targets) pairs.push([to, from]);
	return linksFrom(pairs);
}

/** What comes after any of the starts, in one step or more. A start is in it only if a way leads back to it. */
export function reachedFrom(links: Links, starts: Iterable<string>): Set<string> {
	const reached = new Set<string>();
	const open = [...starts];
	for (let name = open.pop(); name !== undefined; name = open.pop()) {
		for (const next of links.get(name) ?? []) {
			if (reached.has(next)) continue;
			reached.add(next);
			open.push(next);
		}
	}
	return reached;
}

/** The starts, and what comes after them. */
export function closureOf(links: Links, starts: ReadonlySet<string>): Set<string> {
	return new Set([...starts, ...reachedFrom(links, starts)]);
}

/** The names that stand in a circle of links, or between two of them, on ways that lead through none of the guards. */
export function inCircles(links: Links, guards: ReadonlySet<string>): Set<string> {
	const pairs: Array<[string, string]> = [];
	for (const [from, targets] of links)
		for (const to of targets) if (!guards.has(from) && !guards.has(to)) pairs.push([from, to]);
	const unguarded = linksFrom(pairs);
	const before = behindCircles(reversed(unguarded));
	return new Set([...behindCircles(unguarded)].filter((name) => before.has(name)));
}

/** What is left when names to which nothing leads are taken away, again and again: circles, and all that comes after them. */
function behindCircles(links: Links): Set<string> {
	const arrows = new Map<string, number>();
	for (const targets of links.values())
		for (const target of targets) arrows.set(target, (arrows.get(target) ?? 0) + 1);
	const free = [...links.keys()].filter((name) => !arrows.has(name));
	for (let name = free.pop(); name !== undefined; name = free.pop()) {
		for (const target of links.get(name) ?? []) {
			const rest = (arrows.get(target) ?? 0) - 1;
			arrows.set(target, rest);
			if (rest > 0) continue;
			arrows.delete(target);
			free.push(target);
		}
	}
	return new Set(arrows.keys());
}
