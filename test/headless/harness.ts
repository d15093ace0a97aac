/**
 * Runs nodes in n8n-core's own engine, with real HTTP, without n8n's server and database. Code that stands for a class of
 * the server names that class.
 */
import './environment.ts';
import type { ICredentialDataDecryptedObject, ICredentialType, INodeType } from 'n8n-workflow';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';
import { searchList, testCredential } from './editorRequests.ts';
import { createEngine, type NodeSetup } from './engine.ts';
import { runNode, type RunSetup } from './runNode.ts';
import { listen, type ListenSetup } from './runTrigger.ts';

export type { NodeSetup } from './engine.ts';
export type { NodeRun, RunSetup } from './runNode.ts';
export type { Listener, ListenSetup } from './runTrigger.ts';

/** A headless n8n that knows these node types and this credential type. */
export const headless = (
	nodeClasses: Array<new () => INodeType> = [WalletService, WalletServiceTrigger],
	credentialClass: new () => ICredentialType = WalletServiceApi,
) => {
	const engine = createEngine(nodeClasses, credentialClass);

	return {
		runNode: async (setup: RunSetup) => await runNode(engine, setup),

		/** Delivers webhooks to a trigger node. */
		listen: async (setup: ListenSetup) => await listen(engine, setup),

		/** The choices of a resource locator. */
		listSearch: async (method: string, setup: NodeSetup, filter?: string) =>
			await searchList(engine, method, setup, filter),

		testCredential: async (credentials: ICredentialDataDecryptedObject) =>
			await testCredential(engine, credentials),
	};
};
