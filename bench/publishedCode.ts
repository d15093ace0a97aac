/** The package's own code as n8n loads it: the JavaScript in `dist`. The types come from the sources. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const load = <Module>(path: string) => createRequire(resolve('package.json'))(`./dist/${path}.js`) as Module;
const [TRIGGER, ACTION] = ['nodes/WalletService/trigger', 'nodes/WalletService/action'];

type Verifier = typeof import('../api/signature/verifier.ts');
type Parse = typeof import('../nodes/WalletService/trigger/parse.ts');
type Filter = typeof import('../nodes/WalletService/trigger/filter.ts');
type Item = typeof import('../nodes/WalletService/trigger/item.ts');
type Identity = typeof import('../nodes/WalletService/trigger/deduplication/identity.ts');
type Memory = typeof import('../nodes/WalletService/trigger/deduplication/memory.ts');
type Ledger = typeof import('../nodes/WalletService/action/change/remember/ledger.ts');
type PayItems = typeof import('../nodes/WalletService/action/change/pay/payItems.ts');

export const { compileVerifier } = load<Verifier>('api/signature/verifier');
export const { isTooLarge, parseDelivery } = load<Parse>(`${TRIGGER}/parse`);
export const { isWanted } = load<Filter>(`${TRIGGER}/filter`);
export const { toItem } = load<Item>(`${TRIGGER}/item`);
export const { identityOf } = load<Identity>(`${TRIGGER}/deduplication/identity`);
export const { memoryOf } = load<Memory>(`${TRIGGER}/deduplication/memory`);
export const { ExecutionLedger } = load<Ledger>(`${ACTION}/change/remember/ledger`);
export const { payItems } = load<PayItems>(`${ACTION}/change/pay/payItems`);
