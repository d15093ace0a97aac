/** What is said of input that an operation of the desk cannot use. Parameters of the functions are texts to insert. */
import { DeskProblem } from './operation/problem.ts';
import { enumerated } from '../shared/text.ts';
import { visible } from '../shared/wording.ts';

export const DESK = {
	needsOneFile: (count: number) =>
		new DeskProblem(
			`This operation reads one file, and the node has got ${count} items`,
			'Hand over one item with one file, for example with the node Loop Over Items',
		),
	hasNoFile: ({ property, others }: { property: string; others: string[] }) =>
		new DeskProblem(
			others.length === 0
				? 'The item has no file'
				: `The item has no file under '${visible(property)}'. It has: ${visible(others.join(', '))}`,
			others.length === 0
				? "Place a node that gives a file before this one, such as On form submission with an element of the type File. For rows of another node, set 'Source' to Items"
				: `Write ${enumerated(others.map(visible), { word: 'or' })} into 'Input Data Field Name'`,
		),
	toolRowsAreNoList: () =>
		new DeskProblem(
			"'Rows' is not a JSON list of objects",
			'Send the rows as a JSON list of objects, such as [{"paymentKey": "INV-7"}]',
		),
	toolRowsHaveNameTwice: () =>
		new DeskProblem(
			"A row in 'Rows' has a name twice",
			'Send each name once in each row, such as one amount: nobody knows which of two is meant',
		),
	isNoTool: (name: string) =>
		new DeskProblem(
			`The operation ${name} is not for AI agents`,
			'Use it in a workflow. An agent can use Read and Report',
		),
	isOneExpression: (label: string) =>
		new DeskProblem(
			`'${label}' is one expression, so it is not certain what it sets`,
			`Add each entry of '${label}' by itself. Each of them can be an expression`,
		),
	hasAnswered: (status: number) => `The service answered ${status}.`,
	hasNoBalance: (code: string) => `The answer about ${visible(code)} has no readable balance.`,
};
