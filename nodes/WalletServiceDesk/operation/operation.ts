/**
 * What an operation of the desk is: its words and fields in the editor, what it asks the service, and a pure function from items to
 * items. It has no clock, no memory and no network.
 */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { EndpointId } from '../../../api/endpoints.ts';
import type { OptionTable, ValuesOf } from '../../shared/options/options.ts';
import type { Asset, Balance } from '../values/asset.ts';

/** Records of a list of the service, or in one sentence why they cannot be read. */
export type Records = { records: IDataObject[] } | { problem: string };

/** What the operation must know of the service before it runs. */
export interface Questions {
	balances?: Asset[];
	lists?: readonly EndpointId[];
}

export interface Answers {
	/** In the order of the question. */
	balances: Balance[];
	/** A list that was not asked for has no records. */
	list(endpoint: EndpointId): Records;
}

/** What n8n knows, beside the items. */
export interface Surroundings {
	/** ISO 8601 in UTC. */
	now: string;
	/** Of the day, in the workflow's time zone: 0 to 23. */
	hour: number;
	/** Of the workflow: `Africa/Lagos`. */
	timeZone: string;
	/** ID and name of the workflow. */
	workflow: string;
	/** ID of the execution. */
	execution: string;
	/** The address under which people reach this n8n. */
	address: string;
}

export interface DeskInput<Settings> extends Surroundings {
	items: IDataObject[];
	settings: Settings;
	/** Values of parameters that no table of options describes. */
	others: IDataObject;
	/** Of `readFile`. */
	file?: Uint8Array;
}

export interface DeskFile {
	name: string;
	type: 'text/csv';
	text: string;
}

export interface DeskItem {
	json: IDataObject;
	/** By the binary property in which each goes out. */
	files?: Readonly<Record<string, DeskFile>>;
	/** The input item that it comes from. Undefined: from all of them, as the one item of a report. */
	from?: number;
}

export interface DeskHint {
	type: 'info' | 'warning';
	/** HTML. */
	message: string;
}

/** One run of an operation, whose input is read. */
export interface DeskRun {
	/** Nothing, if left out. */
	asks?: Questions;
	/** Makes the items, when the service has answered. */
	finish(answers: Answers): DeskItem[];
}

/** The kind of value that a field of an item has, for the output schema. */
export type ItemFieldKind = 'string' | 'number' | 'boolean' | 'array' | 'object';

type SettingsOf<Fields extends OptionTable, Options extends OptionTable> = ValuesOf<Fields> &
	ValuesOf<Options>;

interface Definition<Fields extends OptionTable, Options extends OptionTable> {
	/** Name in the editor, title case. */
	readonly name: string;
	/** Name of the node on the canvas, and what the node creator finds. */
	readonly action: string;
	readonly description: string;
	/** Whether it asks the service, so that it needs a credential. `unless`: values of parameters, by path, with which it does not. */
	readonly asksService: boolean | { readonly unless: Readonly<Record<string, unknown>> };
	/** What to hand over, as a notice of at most 15 words. A tool has a field for its rows instead. */
	readonly handOver?: string;
	/** The parameters that everybody sees. */
	readonly fields: Fields;
	/** The parameters under *Options*. */
	readonly options: Options;
	/** Parameters that no table of options can describe. Their values are in `others`. */
	readonly others?: readonly INodeProperties[];
	/** Options that no table of options can describe. One that was added is in `others`: null, if its expression gives nothing. */
	readonly otherOptions?: readonly INodeProperties[];
	/** The values of other parameters with which a field is shown; always, if left out. */
	readonly shown?: { readonly [Name in keyof Fields]?: Readonly<Record<string, readonly string[]>> };
	/** The fields of an item, for the output schema. */
	readonly item: Readonly<Record<string, ItemFieldKind>>;
	/** Present for what a model may use: fields that it does not read, such as pages. */
	readonly notForModel?: readonly string[];
	/** What stands above its items in n8n's editor; undefined: nothing. */
	hint?(items: readonly DeskItem[]): DeskHint | undefined;
	/** The binary property with the file that it reads; undefined: none. */
	readFile?(settings: SettingsOf<Fields, Options>): string | undefined;
	/** Reads the input, once. */
	begin(input: DeskInput<SettingsOf<Fields, Options>>): DeskRun;
}

export type DeskOperation = Definition<OptionTable, OptionTable>;

export type DeskSettings = SettingsOf<OptionTable, OptionTable>;

/** Checks an operation by its own tables, and gives it as one of many. */
export function deskOperation<const Fields extends OptionTable, const Options extends OptionTable>(
	definition: Definition<Fields, Options>,
): DeskOperation {
	// Its functions get the settings that its own tables describe.
	return definition as unknown as DeskOperation;
}
