import { installPackages } from './npmPackages.mjs';

/** The development packages that build the package and run the sandbox and `npm start`. Only tests need the others. */
export const TO_START = [
	'@types/node',
	'gulp',
	'mailparser',
	'n8n-workflow',
	'smtp-server',
	'typescript',
	'undici',
	'zod',
];

/** Installs the development packages, or only some of them. */
export const installRoot = (only) =>
	installPackages('.', `Installing the ${only ? 'packages for the build' : 'development packages'}`, {
		only,
	});

export const provideNode24 = () => installPackages('host/node', 'Installing Node.js 24');
