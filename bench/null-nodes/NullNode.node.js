/**
 * Shows what n8n takes for any declarative node. It has one operation with one field, and hands the answer on. Address and
 * signature are made beforehand and contain no expression.
 */
class NullNode {
	description = {
		displayName: 'Null Node',
		name: 'nullNode',
		group: ['transform'],
		version: 1,
		description: 'Asks for a balance and hands the answer on',
		defaults: { name: 'Null Node' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'httpHeaderAuth', required: true }],
		properties: [
			{
				displayName: 'Currency',
				name: 'currency',
				type: 'string',
				default: '',
				routing: {
					request: { method: 'POST', url: '/v1/fiat_balance' },
					send: { type: 'body', property: 'currency', preSend: [signBeforehand] },
				},
			},
			...['baseUrl', 'timestamp', 'signature'].map((name) => ({
				displayName: name,
				name,
				type: 'string',
				default: '',
			})),
		],
	};
}

async function signBeforehand(request) {
	request.baseURL = this.getNodeParameter('baseUrl');
	request.headers = {
		...request.headers,
		'x-svc-timestamp': this.getNodeParameter('timestamp'),
		'x-svc-signature': this.getNodeParameter('signature'),
	};
	return request;
}

module.exports = { NullNode };
