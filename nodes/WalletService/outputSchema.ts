/**
 * JSON Schemas of the items that the nodes return. n8n's editor reads them to offer fields before the first run, from
 * `__schema__/v<node version>/<resource>/<operation>.json` beside the node.
 */
import { CATALOG, isChange } from '../../api/catalog.ts';
import type { MoneyFields } from '../../api/endpoints.ts';
import { EVENTS } from '../../api/events.ts';
import { camelCase, coinFieldName, isField, isList, kindNameOf, UNDOCUMENTED } from '../../api/shape.ts';
import type { FieldKindName, RecordShape } from '../../api/shape.ts';

type PropertySchema = { type: 'string' } | { type: 'array'; items: { type: 'string' } };
type Properties = Record<string, PropertySchema>;

export interface OutputSchema {
	readonly type: 'object';
	readonly properties: Properties;
	readonly version: 1;
}

/** The fields that the trigger adds to the fields of each event. */
const TRIGGER_FIELDS = ['event', 'id', 'deliveryKey', 'receivedAt'];

const TEXT: PropertySchema = { type: 'string' };

const asText = (name: string): Properties => ({ [name]: TEXT });

/** The properties of an item that a field becomes. Amounts are text, because a JSON number loses digits. */
const PROPERTIES: Record<FieldKindName, (name: string) => Properties> = {
	text: asText,
	code: asText,
	status: asText,
	number: asText,
	decimal: asText,
	money: (name) => ({ [name]: TEXT, [coinFieldName(name)]: TEXT }),
	list: (name) => ({ [name]: { type: 'array', items: { type: 'string' } } }),
	time: asText,
	oneOf: asText,
};

/** File path below `__schema__` -> schema, for each documented response and for the trigger. */
export function outputSchemas(): Record<string, OutputSchema> {
	const schemas: Record<string, OutputSchema> = { 'v2.0.0.json': triggerSchema() };
	for (const { resource, operation, endpoint } of CATALOG) {
		const { response, movesMoney } = endpoint;
		const added = isChange(endpoint) ? changeProperties(movesMoney) : [];
		if (response === UNDOCUMENTED) continue;
		const record = isList(response) ? response.element : response;
		const properties = merge([...added, propertiesOf(record)]);
		schemas[`v1.0.0/${resource}/${operation}.json`] = schemaOf(properties);
	}
	return schemas;
}

/** The fields that each item of a change has beside the response; those of a payment are more. */
function changeProperties(money: MoneyFields | undefined): Properties[] {
	if (money === undefined) return [asText('result')];
	const asked = [money.amount, money.currency, money.destination].filter((field) => field !== undefined);
	return ['result', 'paymentKey', ...asked.map(camelCase)].map(asText);
}

function triggerSchema(): OutputSchema {
	const added = TRIGGER_FIELDS.map(asText);
	const ofEvents = Object.values(EVENTS).map(({ fields }) => propertiesOf(fields));
	return schemaOf(merge([...added, ...ofEvents]));
}

function propertiesOf(shape: RecordShape): Properties {
	return merge(
		Object.values(shape).map((entry) => {
			if (!isField(entry)) return propertiesOf(entry);
			const [name, kind] = entry;
			return PROPERTIES[kindNameOf(kind)](name);
		}),
	);
}

function merge(all: Properties[]): Properties {
	return Object.assign({}, ...all);
}

function schemaOf(properties: Properties): OutputSchema {
	return { type: 'object', properties, version: 1 };
}
