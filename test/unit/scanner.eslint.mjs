/**
 * The configuration that n8n's scanner applies to a published package, with inline comments ignored:
 * `buildScanConfig` in scanner/scanner.mjs of the npm package @n8n/scan-community-package 0.32.0.
 */
import communityNodes from '@n8n/eslint-plugin-community-nodes';
import { defineConfig } from 'eslint/config';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import { parser } from 'typescript-eslint';

export default defineConfig(
	communityNodes.configs.recommended,
	{ rules: { 'no-console': 'error' } },
	{ plugins: { 'n8n-nodes-base': nodesBase } },
	{ files: ['package.json'], rules: nodesBase.configs.community.rules },
	{
		files: ['**/credentials/**/*.ts'],
		rules: {
			...nodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: {
			...nodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{ files: ['**/*.json', '**/*.ts'], languageOptions: { parser } },
);
