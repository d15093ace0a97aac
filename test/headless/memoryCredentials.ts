import {
	ICredentialsHelper,
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeParameters,
} from 'n8n-workflow';

/** n8n's CredentialsHelper for a single credential, which it keeps in memory. */
export class MemoryCredentials extends ICredentialsHelper {
	readonly type: ICredentialType;
	readonly data: ICredentialDataDecryptedObject;

	constructor(type: ICredentialType, data: ICredentialDataDecryptedObject) {
		super();
		this.type = type;
		this.data = data;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		if (typeof this.type.authenticate !== 'function') throw new Error('authenticate is not a function');
		return await this.type.authenticate(credentials, request);
	}

	getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		const values = this.data as INodeParameters;
		return Promise.resolve(
			NodeHelpers.getNodeParameters(this.type.properties, values, true, false, null, null) as never,
		);
	}

	getCredentialsProperties() {
		return this.type.properties;
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
