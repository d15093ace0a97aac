/** Where n8n's editor draws the wires of a workflow, as its function for the path of a connection computes it. */

export interface WiredNode {
	name: string;
	type: string;
	position: [number, number];
	parameters: Record<string, unknown>;
	onError?: string;
}

export type Connections = Record<string, { main?: Array<Array<{ node: string; index?: number }> | null> }>;

type Point = [x: number, y: number];

const SIZE = 96;
/** What each further input or output adds to the height. */
const STEP = 32;
/** A wire that runs back goes down by this, and leaves and enters at this distance. */
const BELOW = 130;
const ASIDE = 40;
/** How far along a piece of wire its points are. */
const STEPS = Array.from({ length: 61 }, (_, index) => index / 60);

/** How many inputs and outputs a node has. */
function endsOf({ type, parameters, onError }: WiredNode) {
	const name = type.split('.').at(-1)!;
	const rules = (parameters.rules as { values?: unknown[] } | undefined)?.values?.length ?? 1;
	const outputs: Record<string, number> = {
		if: 2,
		splitInBatches: 2,
		switch: rules,
		walletServiceTrigger: parameters.output === 'perEvent' ? 8 : 1,
	};
	return {
		inputs: name === 'merge' ? 2 : 1,
		outputs: (outputs[name] ?? 1) + (onError === 'continueErrorOutput' ? 1 : 0),
	};
}

export function heightOf(node: WiredNode): number {
	const { inputs, outputs } = endsOf(node);
	return SIZE + Math.max(0, Math.max(inputs, outputs) - 2) * STEP;
}

const handle = (node: WiredNode, index: number, count: number) =>
	node.position[1] + (heightOf(node) * (index + 1)) / (count + 1);

/** The wires of a workflow, as points along each. */
export function wiresOf(nodes: WiredNode[], connections: Connections) {
	const named = (name: string) => nodes.find((node) => node.name === name)!;
	return Object.entries(connections).flatMap(([name, { main = [] }]) =>
		main.flatMap((targets, output) =>
			(targets ?? []).map(({ node, index = 0 }) => {
				const [from, to] = [named(name), named(node)];
				const source: Point = [from.position[0] + SIZE, handle(from, output, endsOf(from).outputs)];
				const target: Point = [to.position[0], handle(to, index, endsOf(to).inputs)];
				return { from: name, to: node, points: pointsOf(source, target) };
			}),
		),
	);
}

function pointsOf(source: Point, target: Point): Point[] {
	const [[sx, sy], [tx, ty]] = [source, target];
	if (sx - 20 > tx) {
		const corners: Point[] = [source, [sx + ASIDE, sy], [sx + ASIDE, sy + BELOW]];
		corners.push([tx - ASIDE, sy + BELOW], [tx - ASIDE, ty], target);
		return corners.slice(1).flatMap(([bx, by], index) => {
			const [ax, ay] = corners[index]!;
			return STEPS.map((t): Point => [ax + (bx - ax) * t, ay + (by - ay) * t]);
		});
	}
	const bend = tx >= sx ? (tx - sx) / 2 : 0.25 * 25 * Math.sqrt(sx - tx);
	return STEPS.map((t) => {
		const at = (a: number, b: number, c: number, d: number) =>
			(1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
		return [at(sx, sx + bend, tx - bend, tx), at(sy, sy, ty, ty)];
	});
}
