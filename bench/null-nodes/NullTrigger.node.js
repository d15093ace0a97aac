/**
 * Shows what n8n takes for any trigger of a community package. It hands the body on and does nothing else. It has version 2,
 * because for version 1 n8n evaluates an expression with each delivery.
 */
class NullTrigger {
	description = {
		displayName: 'Null Trigger',
		name: 'nullTrigger',
		group: ['trigger'],
		version: 2,
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
