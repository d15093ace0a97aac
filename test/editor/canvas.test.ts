/** The canvas of each example as n8n draws it when a person opens it: what can be read, and what lies on what. */
import { exampleNames } from '../../host/examples.ts';
import { open, page, stack, useEditor } from '../browser/editorPage.ts';

/** The smallest letters of a heading that a person can read, in px of the screen. */
const READABLE = 11;

/** From this zoom on, a person can read a note. */
const READABLE_ZOOM = 0.6;

const WINDOW = { width: 1600, height: 1000 };

interface Area {
	of: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

interface Drawn {
	nodes: Area[];
	/** Each line of a text that can be seen: names of nodes and outputs, and notes. */
	lines: Area[];
	/** The names of both ends, and where the wire runs. */
	wires: Array<{ ends: string[]; points: Array<[number, number]> }>;
	headings: Array<{ of: string; size: number }>;
	/** The notes that are too small for their text. */
	cut: string[];
	zoom: number;
}

useEditor(...exampleNames());

beforeAll(async () => await page.setViewportSize(WINDOW));

/** By example. */
const zooms: Record<string, string> = {};
afterAll(() => void process.stdout.write(`Zoom at opening: ${JSON.stringify(zooms, null, 2)}\n`));

/** Reads the canvas, in the page. */
const DRAWN = `(() => {
	const all = (selector, within = document) => [...within.querySelectorAll(selector)];
	const area = (of, { left, top, right, bottom }) => ({ of, left, top, right, bottom });
	const linesIn = (element, of) => {
		const lines = [];
		const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			const text = walker.currentNode;
			const isSeen = text.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true });
			if (!isSeen || !text.data.trim()) continue;
			const range = document.createRange();
			range.selectNodeContents(text);
			// The end of a long line is hidden.
			const { right } = text.parentElement.getBoundingClientRect();
			for (const line of range.getClientRects()) lines.push({ ...area(of, line), right: Math.min(right, line.right) });
		}
		return lines;
	};
	const nodes = all('[data-test-id="canvas-node"]').map((element) => [element, element.dataset.nodeName]);
	const notes = all('[data-test-id="sticky"]').map((element) => [element, element.innerText.split('\\n')[0]]);
	const zoom = new DOMMatrix(getComputedStyle(document.querySelector('.vue-flow__transformationpane')).transform).a;
	const sizeOf = (heading) => zoom * parseFloat(getComputedStyle(heading).fontSize);
	return {
		zoom,
		nodes: nodes.map(([element, name]) => area(name, element.getBoundingClientRect())),
		lines: [...nodes, ...notes].flatMap(([element, name]) => linesIn(element, name)),
		wires: all('.vue-flow__edge').map((wire) => {
			// A wire that runs back has two paths.
			const points = all('.vue-flow__edge-path', wire).flatMap((path) => {
				const matrix = path.getScreenCTM();
				return Array.from({ length: Math.ceil(path.getTotalLength() / 4) }, (_, index) => {
					const { x, y } = path.getPointAtLength(index * 4).matrixTransform(matrix);
					return [x, y];
				});
			});
			const isEnd = ([element]) => wire.dataset.id.includes('[' + element.closest('.vue-flow__node').dataset.id + '/');
			return { ends: nodes.filter(isEnd).map(([, name]) => name), points };
		}),
		headings: notes.flatMap(([note, of]) => all('h1, h2', note).map((each) => ({ of, size: sizeOf(each) }))),
		cut: notes
			.filter(([note]) => all('*', note).some(({ clientHeight, scrollHeight }) => clientHeight > 20 && scrollHeight > clientHeight + 2))
			.map(([, of]) => of),
	};
})()`;

/** What is drawn, when n8n no longer moves it. */
async function drawn(example: string): Promise<Drawn> {
	const workflow = stack.example(example);
	const names = workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote')).map(({ name }) => name);
	await open(workflow);
	for (let before = ''; ; await page.waitForTimeout(200)) {
		const found = await page.evaluate<Drawn>(DRAWN);
		const now = JSON.stringify(found);
		// The nodes of the workflow before may still be there.
		const isIt = String(found.nodes.map(({ of }) => of).sort()) === String(names.sort());
		if (now === before && isIt && found.wires.length > 0) return found;
		before = now;
	}
}

const overlap = (a: Area, b: Area) =>
	a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;

const isIn = ({ left, right, top, bottom }: Area, [x, y]: [number, number]) =>
	x > left + 1 && x < right - 1 && y > top + 1 && y < bottom - 1;

test.each(exampleNames())(
	'%s opens with headings to read, and nothing lies on something else',
	async (example) => {
		const { nodes, lines, wires, headings, cut, zoom } = await drawn(example);
		await page.screenshot({ path: `.local/browser/canvas/${example}.png` });
		zooms[example] = `${Math.round(zoom * 100)} %`;
		const found = cut.map((note) => `the text of ${note} is cut`);
		if (zoom < READABLE_ZOOM) found.push(`the zoom is ${zooms[example]}`);
		for (const { of, size } of headings)
			if (size < READABLE) found.push(`a heading of ${of} has ${size.toFixed(1)} px`);
		const places = [...nodes, ...lines];
		for (const [index, one] of places.entries())
			for (const other of places.slice(index + 1))
				if (one.of !== other.of && overlap(one, other)) found.push(`${one.of} lies on ${other.of}`);
		for (const { ends, points } of wires)
			for (const place of places)
				if (!ends.includes(place.of) && points.some((point) => isIn(place, point)))
					found.push(`the wire of ${ends.join(' and ')} runs over ${place.of}`);
		expect([...new Set(found)]).toEqual([]);
	},
);
