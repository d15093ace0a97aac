/** What the model of an agent reads where a workflow is its tool: what became of payments, or that a person is asked for them. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../../api/exact/json.ts';
import { changeForModel } from '../../../shared/agent/changeForModel.ts';
import { shortLine } from '../../../shared/text.ts';
import { readReportItem } from '../report/reportRow.ts';
import type { ReportRow } from '../report/reportRow.ts';

/** Characters of a field of the payment, and of a problem. */
const MOST_OF_FIELD = 100;
const MOST_OF_PROBLEM = 300;
const MOST_PROBLEMS = 5;

/** One short item: nothing of it is what the service, the payee or an account has as text of its own. */
export function answerAgent(item: IDataObject): IDataObject {
	const { kind, row } = readReportItem(item);
	// An item that is no payment, such as the error of a node, does not say what was done before it.
	if (kind === 'other') return changeForModel({ result: 'unknown', advice: 'unknown' });
	return { ...(row.result === undefined ? ofRequest(row) : ofPayment(row, item)), ...paymentIn(row) };
}

function ofPayment({ result = 'unknown', message }: ReportRow, { error }: IDataObject): IDataObject {
	const status = isRecord(error) ? error.httpStatus : undefined;
	return changeForModel({
		result,
		advice: result,
		reason: shortLine(message, MOST_OF_PROBLEM),
		...(typeof status === 'number' && { httpStatus: status }),
	});
}

/** A row that was handed over to be approved, or that has problems, so that nobody is asked. */
function ofRequest({ problems }: ReportRow): IDataObject {
	if (problems.length === 0) return changeForModel({ result: 'asked', advice: 'asked' });
	const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => shortLine(problem, MOST_OF_PROBLEM));
	return { ...changeForModel({ result: 'notAsked', advice: 'notAsked' }), problems: shown };
}

function paymentIn({ paymentKey, amount, currency, coin, destination }: ReportRow): IDataObject {
	const fields = Object.entries({ paymentKey, amount, currency, coin, destination });
	return Object.fromEntries(
		fields.flatMap(([name, value = '']) => (value === '' ? [] : [[name, shortLine(value, MOST_OF_FIELD)]])),
	);
}
