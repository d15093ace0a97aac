/** What n8n takes for any trigger of a community package: this one hands the body on and does nothing else. */
class NullTrigger {
	description = {
		displayName: 'Null Trigger',
		name: 'nullTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Hands the body of a delivery on',
		defaults: { name: 'Null Trigger' },
		inputs: [],
		outputs: ['main'],
		// n8n looks up before each execution whether the workflow may use the credentials of its nodes.
		credentials: [{ name: 'httpHeaderAuth' }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
		properties: [],
	};

	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}

module.exports = { NullTrigger };
