/** What n8n's server does for the editor: search a list to choose from, test a credential. */
import './environment.ts';
import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type INodeCredentialTestResult,
	type INodeListSearchResult,
	type INodeParameters,
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

/** As CredentialsTester of n8n: the Test button of the credential. */
export const testCredential = async (
	engine: Engine,
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> => {
	const { description, methods } = engine.nodeTypeOf(engine.nodeOf({}));
	const { name: type } = engine.credentialType;
	const testedBy = description.credentials?.find(({ name }) => name === type)?.testedBy;
	const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : undefined;
	if (test === undefined) throw new Error('There is no test of the credential');
	const { properties } = engine.credentialType;
	const withDefaults = NodeHelpers.getNodeParameters(
		properties,
		data as INodeParameters,
		true,
		false,
		null,
		null,
	);
	const context = new CredentialTestContext(engine.additionalDataOf({}, {}));
	return await test.call(context, {
		id: '1',
		name: 'Tested',
		type,
		data: { ...data, ...withDefaults } as ICredentialDataDecryptedObject,
	});
};
