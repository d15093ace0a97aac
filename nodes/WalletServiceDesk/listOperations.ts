/** The operations over a list of payouts, as the editor offers them. */
import type { IDataObject } from 'n8n-workflow';

import { amountsByCodeProperty } from './operation/amountsByCode.ts';
import { differentNames } from '../shared/approvers.ts';
import { smallUnit } from '../shared/smallUnit.ts';
import { deskOperation } from './operation/operation.ts';
import type { DeskFile, DeskItem } from './operation/operation.ts';
import { answerAgent } from './list/agent/answerAgent.ts';
import { CODE_OF_ALL_FIELDS, COLUMN_FIELDS, DEFAULT_COLUMNS } from './list/read/columns.ts';
import { NAME_FIELDS, withDestinations } from './list/read/destinations.ts';
import { APPROVALS, LIST } from './list/read/messages.ts';
import { givenRows } from './values/givenRows.ts';
import type { ListRow } from './list/listRow.ts';
import { placesOfRows, readFile, readGiven, readItems } from './list/read/readList.ts';
import type { ListSettings } from './list/read/readList.ts';
import { hintOfProblems, stopAtProblems } from './list/read/stopAtProblems.ts';
import { readBook } from './list/report/marks.ts';
import { matchList } from './list/report/matchList.ts';
import { LIST_ROWS, PAGE } from './list/report/messages.ts';
import { reportList } from './list/report/reportList.ts';
import { MOST_APPROVALS, readSums, wantsSecond } from './list/report/secondApproval.ts';
import { DECISIONS } from './list/decisions/messages.ts';
import { readDecisions } from './list/decisions/readDecisions.ts';
import { assetsOfList } from './list/report/totals.ts';

/** The field that names a column of the list. */
function column(name: keyof typeof DEFAULT_COLUMNS, what: string) {
	return {
		kind: 'text',
		label: COLUMN_FIELDS[name],
		description: `Name of the column with ${what}. Capital letters, spaces and signs do not count.`,
		default: DEFAULT_COLUMNS[name],
		expected: 'the name of a column',
	} as const;
}

/** Who belongs to the rows. A workflow that is called gets nothing else than its items. */
const PEOPLE = {
	askedBy: {
		kind: 'text',
		label: 'Asked By',
		placeholder: 'e.g. {{ $json.mail }}',
		description: 'Who asks for these payouts. It goes along with each row.',
		expected: 'a text',
		mayBeNothing: true,
	},
	approvedBy: {
		kind: 'person',
		label: 'Approved By',
		placeholder: 'e.g. {{ $json.data.Name }}',
		description: 'Who has said yes. It goes along with each row, into the book.',
		mayBeNothing: true,
		mayBeList: true,
	},
} as const;

/** What makes a payment, in the items of a list. */
const ITEM_OF_PAYMENT = {
	paymentKey: 'string',
	amount: 'string',
	currency: 'string',
	coin: 'string',
	destination: 'string',
} as const;

interface People {
	askedBy?: string;
	approvedBy?: string;
	approvalsNeeded?: number;
}

/** Those who are named, as fields of each row. Throws DeskProblem if fewer different people have said yes than are needed. */
function peopleOf({ askedBy, approvedBy, approvalsNeeded }: People): IDataObject {
	const names = differentNames(approvedBy ?? '');
	const isApproved = names.length > 0;
	if (isApproved && approvalsNeeded !== undefined && names.length < approvalsNeeded)
		throw APPROVALS.areTooFew(names.join(', '));
	return {
		...(askedBy && { askedBy }),
		...(isApproved && { approvedBy: names.join(', ') }),
		...(approvalsNeeded !== undefined && { approvalsNeeded }),
	};
}

const ACCOUNTS = 'settlementAccount.getAll';
const WALLETS = 'settlementWallet.getAll';

const read = deskOperation({
	name: 'Read',
	action: 'Read payout list from file or rows',
	description:
		'Read payouts from a CSV file or from rows of any node. Each row becomes an item, with what is wrong with it. Nothing is paid.',
	asksService: { unless: { 'options.checkDestinations': false } },
	fields: {
		source: {
			kind: 'choice',
			label: 'Source',
			description: 'Where the rows come from',
			choices: {
				file: {
					name: 'File',
					description: 'One CSV file of the node before this one, such as On form submission',
				},
				list: { name: 'List', description: 'A list in a field, such as the rows of Report' },
				items: { name: 'Items', description: 'Rows of another node, such as Google Sheets or Data Table' },
			},
		},
		binaryProperty: {
			kind: 'text',
			label: 'Input Data Field Name',
			description:
				'Name of the field with the file. A form makes it of the label: the element Payment list gives Payment_list.',
			default: 'data',
			expected: 'the name of a field',
		},
	},
	shown: { binaryProperty: { source: ['file'] } },
	others: [
		{
			displayName: 'Rows',
			name: 'list',
			// Text, because n8n marks an empty field of JSON as wrong and shows no example in it.
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.rows }}',
			description: "A list of rows, its JSON text, or a node's items: $('Read').all()",
			displayOptions: { show: { source: ['list'], '@tool': [false] } },
		},
	],
	options: {
		paymentKeyColumn: column(
			'paymentKey',
			'the text that each payment has for itself, such as the number of its invoice',
		),
		amountColumn: column('amount', 'the amounts'),
		currencyColumn: column('currency', 'the currencies of payouts to banks'),
		coinColumn: column('coin', 'the coins of payouts to wallets'),
		destinationColumn: column('destination', 'the aliases of accounts and wallets'),
		payeeColumn: column('payee', 'who gets the money, to be compared with the name that the service has'),
		noteColumn: column('note', 'what people should know of a payout'),
		againColumn: column('again', 'yes where the same payment is meant once more'),
		currencyOfAll: {
			kind: 'text',
			label: CODE_OF_ALL_FIELDS.currencyOfAll,
			placeholder: 'e.g. NGN',
			description: 'The currency of rows that name none',
			expected: 'a code such as NGN',
		},
		coinOfAll: {
			kind: 'text',
			label: CODE_OF_ALL_FIELDS.coinOfAll,
			placeholder: 'e.g. USDT',
			description: 'The coin of rows that name none',
			expected: 'a code such as USDT',
		},
		checkDestinations: {
			kind: 'flag',
			label: 'Check Destinations',
			description: 'Whether to ask the service if each destination exists and is approved',
			default: true,
		},
		accountNameField: {
			kind: 'text',
			label: 'Account Name Field',
			description:
				"The field with the holder's name in the service's accounts, which the payee is compared with. Of several, the first one that is filled counts.",
			default: NAME_FIELDS,
			expected: 'the name of a field',
		},
		leaveOut: {
			kind: 'text',
			label: 'Leave Out',
			placeholder: 'e.g. 3, 7',
			description:
				'The numbers of rows that are not paid, as the field row has them. Anything else gives no row.',
			expected: 'a list of row numbers, such as 3, 7',
			mayBeNothing: true,
		},
		stopAtProblems: {
			kind: 'flag',
			label: 'Stop If a Row Is Wrong',
			description: 'Whether to hand on no row at all, and stop, if something is wrong with any of them',
			default: false,
		},
		...PEOPLE,
		approvalsNeeded: {
			kind: 'count',
			label: 'Approvals Needed',
			placeholder: "e.g. {{ $('Report').first().json.approvalsNeeded }}",
			description:
				'How many different people must have said yes. If Approved By names fewer, no row comes out. Names have commas between them.',
			expected: '1 or 2',
			minimum: 1,
			maximum: MOST_APPROVALS,
		},
	},
	item: {
		row: 'number',
		line: 'number',
		...ITEM_OF_PAYMENT,
		destinationDetails: 'string',
		payee: 'string',
		payeeMatch: 'string',
		leftOut: 'string',
		note: 'string',
		again: 'boolean',
		problems: 'array',
		askedBy: 'string',
		approvedBy: 'string',
		approvalsNeeded: 'number',
	},
	// Whose an account is, a person reads on the page that asks.
	notForModel: ['destinationDetails', 'payeeMatch'],
	hint: (items) => hintOfProblems(items.map(({ json }) => json as unknown as ListRow)),
	readFile: ({ source, binaryProperty }) => (source === 'file' ? binaryProperty : undefined),
	begin: ({ items, file, settings, others }) => {
		const reading: ListSettings = {
			columns: {
				paymentKey: settings.paymentKeyColumn,
				amount: settings.amountColumn,
				currency: settings.currencyColumn,
				coin: settings.coinColumn,
				destination: settings.destinationColumn,
				payee: settings.payeeColumn,
				note: settings.noteColumn,
				again: settings.againColumn,
			},
			codeOfAll: codeOfAll(settings),
			leaveOut: settings.leaveOut,
		};
		const people = peopleOf(settings);
		const isList = settings.source === 'list';
		const readOther = () => (isList ? readGiven(others.list, reading) : readItems(items, reading));
		const rows = file === undefined ? readOther() : readFile(file, reading);
		const areItems = settings.source === 'items' && rows.some(({ row }) => row !== 0);
		const places = areItems ? placesOfRows(items, reading) : [];
		const itemsOf = (all: ListRow[]) => {
			if (settings.stopAtProblems) stopAtProblems(all);
			return linked(all, places, people, settings.leaveOut);
		};
		const nameFields = settings.accountNameField.split(',').map((name) => name.trim());
		if (!settings.checkDestinations) return { finish: () => itemsOf(rows) };
		return {
			asks: { lists: [ACCOUNTS, WALLETS] },
			finish: ({ list }) =>
				itemsOf(
					withDestinations(rows, {
						accounts: list(ACCOUNTS),
						wallets: list(WALLETS),
						nameFields,
						isUnseen: settings.stopAtProblems,
					}),
				),
		};
	},
});

/** Each row with the item that it was, its people, and what they left out. What is about the list as a whole comes first. */
function linked(rows: ListRow[], places: number[], people: IDataObject, leaveOut?: string): DeskItem[] {
	const whole = rows.filter(({ row }) => row === 0).length;
	return rows.map((row, index) => ({
		json: {
			...row,
			...people,
			...(leaveOut !== undefined && { leftOut: [row.leftOut ?? [], leaveOut].flat().join(', ') }),
		},
		from: places[index - whole] ?? 0,
	}));
}

function codeOfAll({ currencyOfAll, coinOfAll }: { currencyOfAll?: string; coinOfAll?: string }) {
	if (currencyOfAll !== undefined && coinOfAll !== undefined) throw LIST.hasTwoCodesOfAll();
	if (coinOfAll !== undefined) return { code: coinOfAll.toUpperCase(), isFiat: false };
	if (currencyOfAll === undefined) return undefined;
	const small = smallUnit(currencyOfAll);
	if (small !== undefined) throw LIST.currencyOfAllIsSmallUnit({ written: currencyOfAll, ...small });
	return { code: currencyOfAll.toUpperCase(), isFiat: true };
}

const report = deskOperation({
	name: 'Report',
	action: 'Report payout list for approval or results',
	description:
		'Turn the rows of a list, or the results of its payments, into one item with a page, a mail and a CSV file for people',
	asksService: true,
	fields: {
		title: {
			kind: 'text',
			label: 'Title',
			placeholder: 'e.g. Suppliers of November',
			description: 'How people call this list',
			default: '',
			expected: 'a text',
		},
	},
	options: {},
	otherOptions: [
		{
			displayName: 'Rows of the List',
			name: 'listRows',
			type: 'string',
			default: '',
			placeholder: "e.g. {{ $('Read').all() }}",
			description:
				'The rows of these results, for their notes and numbers: matched by Payment Key, else by place',
		},
		{
			displayName: 'Rows of the Book',
			name: 'earlierRows',
			type: 'string',
			default: '',
			placeholder: "e.g. {{ $('Book').all() }}",
			description:
				'Rows of the book, to mark what is unlike earlier payments, and to count what went out today',
		},
		amountsByCodeProperty({
			displayName: 'Second Approval Above',
			name: 'secondApprovalAbove',
			description:
				'Sums above which two people must say yes. A currency or coin without a sum needs two, as well.',
			entry: {
				displayName: 'Sum',
				name: 'sum',
				amount: { name: 'amount', label: 'Sum', example: '100000' },
			},
		}),
	],
	item: {
		isGood: 'boolean',
		needsSecondApproval: 'boolean',
		approvalsNeeded: 'number',
		subject: 'string',
		text: 'string',
		html: 'string',
		balancesHtml: 'string',
		counts: 'object',
		totals: 'array',
		problems: 'array',
		marks: 'array',
		unknown: 'number',
		decideFrom: 'string',
		rows: 'array',
	},
	notForModel: ['html', 'balancesHtml', 'rows'],
	hint: () => ({ type: 'info', message: PAGE.isForPeople() }),
	begin: ({ items, settings, others, now, timeZone }) => {
		const secondApprovalAbove = readSums(others.secondApprovalAbove);
		const rowsOfList = readRowsOfList(others.listRows);
		const list = rowsOfList === undefined ? { items, withoutResult: [] } : matchList(items, rowsOfList);
		const isSecondWanted = wantsSecond([...items, ...(rowsOfList ?? [])]);
		const book = readBook(others.earlierRows, now);
		return {
			asks: { balances: assetsOfList([...list.items, ...list.withoutResult]) },
			finish: ({ balances }) => {
				const { file, openFile, ...json } = reportList({
					...list,
					balances,
					title: settings.title,
					secondApprovalAbove,
					isSecondWanted,
					...book,
					now,
					timeZone,
				});
				const files = {
					file: csvOf('payouts.csv', file),
					openFile: csvOf('open-payouts.csv', openFile),
				};
				return [{ json: { ...json }, files }];
			},
		};
	},
});

function csvOf(name: string, text: string): DeskFile {
	return { name, type: 'text/csv', text };
}

/** Undefined without the option. */
function readRowsOfList(option: unknown): IDataObject[] | undefined {
	if (option === undefined) return undefined;
	const given = givenRows(option);
	if ('is' in given) throw LIST_ROWS.areNoList(given.place);
	return given.rows;
}

/** A field of a form in which a person names payments. */
function typedField(label: string, what: string) {
	return {
		kind: 'text',
		label,
		placeholder: `e.g. {{ $json.data['${label.charAt(0)}${label.slice(1).toLowerCase()}'] }}`,
		description: `The unknown payments that ${what}: their Payment Keys, or the numbers of their rows as the field row has them, with commas between them. If any of them is wrong, nothing is decided.`,
		expected: 'Payment Keys or numbers of rows',
		mayBeNothing: true,
	} as const;
}

const decide = deskOperation({
	name: 'Read Decisions',
	action: 'Read decisions about unknown payments',
	description:
		'Turn what a person has typed about unknown payments into rows with the decision for the option If Outcome Is Unknown',
	asksService: false,
	fields: {},
	others: [
		{
			displayName: 'Rows of the Report',
			name: 'reportRows',
			// Text, because n8n marks an empty field of JSON as wrong and shows no example in it.
			type: 'string',
			default: '',
			required: true,
			placeholder: "e.g. {{ $('Report').item.json.rows }}",
			description: 'The field rows that the operation Report gave, as an expression',
		},
	],
	options: {
		wasPaid: typedField('Was Paid', 'were paid, so that nothing is sent for them'),
		wasNotPaid: typedField('Was Not Paid', 'were not paid, so that they are paid now'),
		askedBy: PEOPLE.askedBy,
		approvedBy: PEOPLE.approvedBy,
	},
	item: {
		...ITEM_OF_PAYMENT,
		note: 'string',
		decision: 'string',
		askedBy: 'string',
		approvedBy: 'string',
	},
	begin: ({ items, settings, others }) => {
		if (items.length > 1) throw DECISIONS.hasSeveralAnswers();
		const { wasPaid, wasNotPaid } = settings;
		const decided = readDecisions({ rows: others.reportRows, wasPaid, wasNotPaid });
		const people = peopleOf(settings);
		return { finish: () => decided.map((row) => ({ json: { ...row, ...people }, from: 0 })) };
	},
});

const answer = deskOperation({
	name: 'Answer Agent',
	action: 'Answer AI agent about payouts',
	description:
		'Turn results of payouts, or rows for which a person is asked, into the little that the model of an AI agent may read',
	asksService: false,
	handOver: 'Hand over results of payouts, or rows of Read for which a person is asked.',
	fields: {},
	options: {},
	item: {
		result: 'string',
		message: 'string',
		whatToDo: 'string',
		problems: 'array',
		...ITEM_OF_PAYMENT,
	},
	begin: ({ items }) => ({
		finish: () => items.map((item, from) => ({ json: answerAgent(item), from })),
	}),
});

export const LIST_OPERATIONS = {
	'list.read': read,
	'list.report': report,
	'list.readDecisions': decide,
	'list.answerAgent': answer,
};
