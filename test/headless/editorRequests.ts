/** What n8n's server does for the editor: search a list to choose from, test a credential. */
import './environment.ts';
import { ExecuteContext, LoadOptionsContext, RoutingNode } from 'n8n-core';
import {
	Workflow,
	createEmptyRunExecutionData,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INodeCredentialTestResult,
	type INodeListSearchResult,
	type INodeType,
} from 'n8n-workflow';
import { withExpressions, type Engine, type NodeSetup } from './engine.ts';

/** As DynamicNodeParametersService of n8n: calls the method that fills a list to choose from. */
export const searchList = async (
	engine: Engine,
	method: string,
	setup: NodeSetup,
	filter?: string,
): Promise<INodeListSearchResult> => {
	const node = engine.nodeOf(setup);
	const search = engine.nodeTypeOf(node).methods?.listSearch?.[method];
	if (search === undefined) throw new Error(`There is no list search ${method}`);
	const workflow = engine.workflowOf(node);
	const additionalData = engine.additionalDataOf(setup, { currentNodeParameters: setup.parameters });
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	return await withExpressions(workflow, async () => await search.call(context, filter));
};

/** The value at a path such as `results.length`. */
const valueAt = (value: unknown, path: string): unknown =>
	path.split('.').reduce((inner, name) => (inner as IDataObject | undefined)?.[name], value);

/** A node type whose only request is the test request of the credential. */
const testerFor = ({ name, test: credentialTest }: Engine['credentialType']): INodeType => ({
	description: {
		displayName: 'Tester',
		name: 'tester',
		group: ['input'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		credentials: [{ name, required: true }],
		properties: [
			{
				displayName: 'Temp',
				name: 'temp',
				type: 'string',
				default: '',
				routing: { request: credentialTest!.request },
			},
		],
	},
});

/** As CredentialsTester of n8n: the Test button of the credential. */
export const testCredential = async (
	engine: Engine,
	credentials: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> => {
	const { rules = [] } = engine.credentialType.test!;
	const tester = testerFor(engine.credentialType);
	const node = engine.nodeOf({ credentials });
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { ...engine.nodeTypes, getByName: () => tester, getByNameAndVersion: () => tester },
	});
	const context = new ExecuteContext(
		workflow,
		node,
		engine.additionalDataOf({ credentials }, { currentNodeParameters: {} }),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	return await withExpressions(workflow, async () => {
		try {
			const response = await new RoutingNode(context, tester).runNode();
			const body = response?.[0]?.[0]?.json;
			for (const { type, properties } of rules) {
				if (type !== 'responseSuccessBody') continue;
				if (valueAt(body, properties.key) === properties.value) {
					return { status: 'Error', message: properties.message };
				}
			}
			return { status: 'OK', message: 'Connection successful!' };
		} catch (failure) {
			const error = failure as Error & { cause?: { response?: { status: number } } };
			const status = error.cause?.response?.status;
			const rule = rules.find(
				({ type, properties }) => type === 'responseCode' && properties.value === status,
			);
			return { status: 'Error', message: rule?.properties.message ?? error.message };
		}
	});
};
