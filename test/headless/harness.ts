/**
 * Runs nodes in n8n-core's own engine, with real HTTP, without n8n's server and database. Code that stands for a class of
 * the server names that class.
 */
import './environment.ts';
import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeType } from 'n8n-workflow';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceDesk } from '../../nodes/WalletServiceDesk/WalletServiceDesk.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts';
import { createEngine, withExpressions, type NodeSetup } from './engine.ts';
import { credentialType, withDefaults } from './memoryCredentials.ts';
import { runNode, type RunSetup } from './runNode.ts';
import { listen, type ListenSetup } from './runTrigger.ts';

export type { Listener, ListenSetup } from './runTrigger.ts';

/** A headless n8n that knows these node types. */
export const headless = (
	nodeClasses: Array<new () => INodeType> = [WalletService, WalletServiceDesk, WalletServiceTrigger],
) => {
	const engine = createEngine(nodeClasses);
	return {
		runNode: async (setup: RunSetup) => await runNode(engine, setup),

		/** Delivers webhooks to a trigger node. */
		listen: async (setup: ListenSetup) => await listen(engine, setup),

		/** As DynamicNodeParametersService of n8n: calls the method that fills a list to choose from. */
		listSearch: async (method: string, setup: NodeSetup, filter?: string) => {
			const node = engine.nodeOf(setup);
			const search = engine.nodeTypeOf(node).methods!.listSearch![method]!;
			const workflow = engine.workflowOf(node);
			const additionalData = engine.additionalDataOf(setup, { currentNodeParameters: setup.parameters });
			const context = new LoadOptionsContext(workflow, node, additionalData, '');
			return await withExpressions(workflow, async () => await search.call(context, filter));
		},

		/** As CredentialsTester of n8n: the Test button of the credential. */
		testCredential: async (data: ICredentialDataDecryptedObject) => {
			const { description, methods } = engine.nodeTypeOf(engine.nodeOf({}));
			const { name: type } = credentialType;
			const testedBy = description.credentials?.find(({ name }) => name === type)?.testedBy;
			const test = methods!.credentialTest![testedBy as string]!;
			const context = new CredentialTestContext(engine.additionalDataOf({}));
			return await test.call(context, {
				id: '1',
				name: 'Tested',
				type,
				data: { ...data, ...withDefaults(data) },
			});
		},
	};
};
