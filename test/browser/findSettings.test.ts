/** From a new credential in which only the secrets are filled in, a person gets to an event that passes, by what the editor says. */
import { until } from '../../host/n8n/client.ts';
import { node } from '../../host/testkit/workflows.ts';
import { openSsl } from '../unit/openSsl.ts';
import type { Locator } from './browser.ts';
import {
	byId,
	choose,
	field,
	form,
	open,
	openNewCredential,
	output,
	page,
	picture,
	stack,
	store,
	useEditor,
	words,
} from './editorPage.ts';

useEditor();

const SECRET = 'whsec_test_51f0c2d4b6a8e9';
const NOTE = 'a note in a header';
const webhookId = 'c0ffee00-5a3d-4b7e-9f21-0d6b8c4e7a12';

/** A delivery as a service sends it that signs like Stripe. */
async function deliver(): Promise<number> {
	const time = String(Math.floor(Date.now() / 1000));
	const body = JSON.stringify({ event: 'virtual_account_credited', id: `vc_${time}`, status: 'successful' });
	const headers = {
		'content-type': 'application/json',
		'acme-signature': `t=${time},v1=${openSsl(`${time}.${body}`, SECRET)}`,
		'acme-note': NOTE,
	};
	const url = `${stack.n8n.url}/webhook-test/${webhookId}/webhook`;
	return (await fetch(url, { method: 'POST', headers, body })).status;
}

test('the settings that the editor names lead from a new credential to an event that passes', async () => {
	let clicks = 0;
	const click = async (place: Locator) => {
		clicks += 1;
		await place.click();
	};
	const save = async () => {
		const stored = page.waitForResponse((response) => {
			const isStored = /\/rest\/credentials(?:\/\w+)?$/.test(new URL(response.url()).pathname);
			return isStored && ['POST', 'PATCH'].includes(response.request().method());
		});
		await click(page.getByRole('button', { name: 'Save', exact: true }));
		await stored;
		await form().getByText('Connection tested successfully').filter({ visible: true }).waitFor();
		await page.keyboard.press('Escape');
		await form().waitFor({ state: 'hidden' });
	};
	const listen = async () => {
		await byId('stop-execution-button').waitFor({ state: 'hidden' });
		const button = byId('trigger-execute-button');
		await click(button.getByRole('button').or(button).last());
		await page.getByText('Listening for test event').waitFor();
	};
	const choice = async (parameter: string, name: string) => {
		clicks += 2;
		await choose(parameter, name);
	};

	await openNewCredential();
	const { url, key, secret } = stack.sandbox;
	await field('baseUrl').fill(url);
	await field('apiKey').fill(key);
	await field('signatureSecret').fill(secret);
	await field('webhookSecret').fill(SECRET);
	await save();

	type Stored = { id: string; name: string; type: string };
	const credentials = await stack.client.rest<Stored[]>('GET', '/credentials');
	const { id, name } = credentials.find(
		(each) => each.type === 'walletServiceApi' && each.id !== stack.credential.id,
	)!;
	const trigger = node('Deposits', 'n8n-nodes-wallet-service.walletServiceTrigger', {
		events: ['virtual_account_credited'],
	});
	const workflow = await store('Deposits', [
		{ ...trigger, webhookId, credentials: { walletServiceApi: { id, name } } },
	]);
	await open(workflow, 'Deposits');
	await listen();
	expect(await deliver()).toBe(401);
	const description = byId('node-error-description', output());
	await description.waitFor();
	expect((await description.innerText()).trim().split('\n')).toEqual([
		'Other settings verify this delivery. Set in the credential:',
		'Webhook Style: Custom',
		'Webhook Header: acme-signature',
		'Webhook Payload: {timestamp}.{body}',
		'Webhook Signature Format: t={timestamp},v1={signature}',
		'Then click Execute step and let the service send another event. It must pass, too.',
		expect.stringMatching(/^This proves only that the sender knows the Webhook Secret\. /),
		'Verify webhooks',
	]);
	expect(await description.getByRole('link').getAttribute('href')).toMatch(
		/\/docs\/set-up\/verify-webhooks\.md#/,
	);
	expect(await words(byId('node-error-message', output()))).toMatch(/^The trigger refused this delivery: /);
	await picture('find-settings', output());

	await click(byId('credential-edit-button'));
	await form().waitFor();
	await choice('webhookStyle', 'Custom');
	await field('webhookHeader').fill('acme-signature');
	await field('webhookPayload').fill('{timestamp}.{body}');
	await field('webhookSignatureFormat').fill('t={timestamp},v1={signature}');
	await save();
	// The key that has closed the credential has closed the node, too.
	await open(workflow, 'Deposits');
	await listen();
	expect(await deliver()).toBe(200);
	await output().getByText('virtual_account_credited').first().waitFor();
	expect(clicks).toBe(7);

	const executions = await until('the executions', async () => {
		const path = `/api/v1/executions?includeData=true&workflowId=${workflow.id}`;
		const { data } = (await stack.client.call('GET', path)) as { data: Array<{ status: string }> };
		return data.length === 2 ? data : undefined;
	});
	const stored = JSON.stringify(executions.find(({ status }) => status === 'error'));
	expect(stored).toContain('acme-signature');
	for (const hidden of [SECRET, NOTE, 'vc_']) expect(stored).not.toContain(hidden);
	expect(stored).not.toMatch(/v1=[\da-f]/);
});
