import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeParameters,
} from 'n8n-workflow';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';

export const credentialType = new WalletServiceApi();

/** The fields that the user entered, and the defaults of the others. */
export const withDefaults = (data: ICredentialDataDecryptedObject) =>
	NodeHelpers.getNodeParameters(
		credentialType.properties,
		data as INodeParameters,
		true,
		false,
		null,
		null,
	) as ICredentialDataDecryptedObject;

/** What nodes notice of n8n's CredentialsHelper, for a single credential in memory. */
export class MemoryCredentials {
	readonly data: ICredentialDataDecryptedObject;

	constructor(data: ICredentialDataDecryptedObject) {
		this.data = data;
	}

	async authenticate(data: ICredentialDataDecryptedObject, _type: string, request: IHttpRequestOptions) {
		const { authenticate } = credentialType;
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		return await authenticate(data, request);
	}

	getDecrypted() {
		// n8n adds these fields to those of the credential.
		const { allowedHttpRequestDomains = 'all', allowedDomains = '' } = this.data;
		return Promise.resolve({ ...withDefaults(this.data), allowedHttpRequestDomains, allowedDomains });
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async preAuthentication() {}
}
