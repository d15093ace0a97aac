/** Reads workflows as n8n's own node gives them. People write their JSON too, so any part may be missing or odd. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../api/exact/json.ts';
import { textOf } from '../values/itemValues.ts';
import { linksOf } from './links.ts';
import type { Links } from './links.ts';

export interface NodeCredential {
	/** `walletServiceApi`, `smtp` */
	type: string;
	/** '' if none is chosen. */
	id: string;
	name: string;
}

export interface FlowNode {
	name: string;
	/** The type without its package: `walletService`, `emailSend`. */
	kind: string;
	/** 1 if the node does not say it. */
	version: number;
	/** As they were written: an expression is a text that begins with `=`, and what has its default may be missing. */
	parameters: Readonly<Record<string, unknown>>;
	credentials: readonly NodeCredential[];
}

/** A workflow as it runs: the published one if there is one. */
export interface Flow {
	/** n8n's ID, or a text in its place. */
	id: string;
	name: string;
	isPublished: boolean;
	hasUnpublishedChanges: boolean;
	settings: Readonly<Record<string, unknown>>;
	/** Without notes and disabled nodes. */
	nodes: readonly FlowNode[];
	/** They hand on their items as they are. */
	disabledNodes: readonly FlowNode[];
	/** Between the names of nodes. Items go through disabled nodes, too. */
	links: Links;
	/** Whether all of it could be read. What could not be read is in no other field. */
	isReadable: boolean;
}

/** The workflows that can run. n8n's node gives an item without anything if there is none. */
export function readFlows(items: readonly IDataObject[]): Flow[] {
	return items
		.filter((item) => Object.keys(item).length > 0 && item.error === undefined && item.isArchived !== true)
		.map(readFlow);
}

function readFlow(item: IDataObject, index: number): Flow {
	const id = textOf(item.id) || `workflow ${index + 1}`;
	const isPublished = item.active === true || textOf(item.activeVersionId) !== '';
	const { nodes, connections } = versionThatRuns(item, isPublished);
	const written: unknown[] = Array.isArray(nodes) ? nodes : [undefined];
	const read = written.filter((node) => !isNote(node) && !isDisabled(node)).map(readNode);
	const disabled = written.filter((node) => !isNote(node) && isDisabled(node)).map(readNode);
	const links = linksOf(connections);
	return {
		id,
		name: textOf(item.name) || id,
		isPublished,
		hasUnpublishedChanges: hasUnpublishedChanges(item),
		settings: isRecord(item.settings) ? item.settings : {},
		nodes: read.filter((node) => node !== undefined),
		disabledNodes: disabled.filter((node) => node !== undefined),
		links: links ?? new Map(),
		isReadable: !read.includes(undefined) && links !== undefined,
	};
}

/** n8n older than 2 knows no versions, and runs what was saved. */
function versionThatRuns(
	item: IDataObject,
	isPublished: boolean,
): { nodes?: unknown; connections?: unknown } {
	return isPublished && isRecord(item.activeVersion) && item.activeVersion.nodes !== undefined
		? item.activeVersion
		: item;
}

function hasUnpublishedChanges({ versionId, activeVersionId }: IDataObject): boolean {
	return textOf(activeVersionId) !== '' && textOf(versionId) !== textOf(activeVersionId);
}

function isDisabled(node: unknown): boolean {
	return isRecord(node) && node.disabled === true;
}

function isNote(node: unknown): boolean {
	return isRecord(node) && kindOf(node.type) === 'stickyNote';
}

function kindOf(type: unknown): string {
	return textOf(type).slice(textOf(type).lastIndexOf('.') + 1);
}

/** Undefined if it is no node, or if nobody can say what it does. */
function readNode(node: unknown): FlowNode | undefined {
	if (!isRecord(node)) return undefined;
	const { name, type, parameters = {}, credentials = {} } = node;
	if (typeof name !== 'string' || typeof type !== 'string') return undefined;
	if (!isRecord(parameters) || !isRecord(credentials)) return undefined;
	return {
		name,
		kind: kindOf(type),
		version: typeof node.typeVersion === 'number' ? node.typeVersion : 1,
		parameters,
		credentials: Object.entries(credentials).map(([of, chosen]) => readCredential(of, chosen)),
	};
}

function readCredential(type: string, chosen: unknown): NodeCredential {
	const { id, name } = isRecord(chosen) ? chosen : {};
	return { type, id: textOf(id), name: textOf(name) };
}
