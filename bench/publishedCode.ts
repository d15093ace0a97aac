/** The package's own code as n8n loads it: the JavaScript in `dist`. The types come from the sources. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

type SignRequest = typeof import('../api/signature/signRequest.ts');
type VerifierModule = typeof import('../api/signature/verifier.ts');
type Parse = typeof import('../nodes/WalletService/trigger/parse.ts');
type Filter = typeof import('../nodes/WalletService/trigger/filter.ts');
type Item = typeof import('../nodes/WalletService/trigger/item.ts');
type Identity = typeof import('../nodes/WalletService/trigger/deduplication/identity.ts');
type Memory = typeof import('../nodes/WalletService/trigger/deduplication/memory.ts');
type RequestModule = typeof import('../nodes/WalletService/action/request/buildRequest.ts');
type ResponseModule = typeof import('../nodes/WalletService/action/call/readResponse.ts');
type LedgerModule = typeof import('../nodes/WalletService/action/payment/executionLedger.ts');
type Payments = typeof import('../nodes/WalletService/action/payment/payItems.ts');
export type { SigningSettings, VerificationSettings } from '../api/signature/settings.ts';

function load<Module>(path: string): Module {
	return createRequire(resolve('package.json'))(`./dist/${path}.js`) as Module;
}

/** What the trigger calls for a delivery. */
export function triggerCode() {
	const { compileVerifier } = load<VerifierModule>('api/signature/verifier');
	const { isTooLarge, parseDelivery } = load<Parse>('nodes/WalletService/trigger/parse');
	const { isWanted } = load<Filter>('nodes/WalletService/trigger/filter');
	const { toItem } = load<Item>('nodes/WalletService/trigger/item');
	const { identityOf } = load<Identity>('nodes/WalletService/trigger/deduplication/identity');
	const { memoryOf } = load<Memory>('nodes/WalletService/trigger/deduplication/memory');
	return { compileVerifier, isTooLarge, parseDelivery, isWanted, toItem, identityOf, memoryOf };
}

/** What the action calls for an item. */
export function actionCode() {
	const { signRequest } = load<SignRequest>('api/signature/signRequest');
	const { buildRequest } = load<RequestModule>('nodes/WalletService/action/request/buildRequest');
	const { readResponse } = load<ResponseModule>('nodes/WalletService/action/call/readResponse');
	const { ExecutionLedger } = load<LedgerModule>('nodes/WalletService/action/payment/executionLedger');
	const { payItems } = load<Payments>('nodes/WalletService/action/payment/payItems');
	return { signRequest, buildRequest, readResponse, ExecutionLedger, payItems };
}
