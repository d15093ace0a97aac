import {
	ICredentialsHelper,
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

/** n8n's CredentialsHelper for a single credential, which it keeps in memory. */
export class MemoryCredentials extends ICredentialsHelper {
	readonly data: ICredentialDataDecryptedObject;

	constructor(data: ICredentialDataDecryptedObject) {
		super();
		this.data = data;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		request: IHttpRequestOptions,
	) {
		const { authenticate } = credentialType;
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		return await authenticate(credentials, request);
	}

	getDecrypted() {
		return Promise.resolve(withDefaults(this.data));
	}

	getCredentialsProperties() {
		return credentialType.properties;
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	preAuthentication() {
		return Promise.resolve(undefined);
	}

	runPreAuthentication() {
		return Promise.resolve(undefined);
	}

	getCredentials(): Promise<never> {
		return Promise.reject(new Error('Credentials are not stored here'));
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}
}
