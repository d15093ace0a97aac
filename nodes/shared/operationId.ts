import type { INode } from 'n8n-workflow';

/** Its identity: `fiatWallet.getBalance`. */
export function idOf({ parameters: { resource, operation } }: INode): string {
	return `${String(resource)}.${String(operation)}`;
}
