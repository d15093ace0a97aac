/** What both nodes say. Parameters of the functions are texts to insert. */

import { sentences } from '../../api/texts.ts';
import { excerpt, marked } from './wording.ts';
import type { Texts } from './wording.ts';

/** What n8n shows when the test of the credential fails. */
export const CREDENTIAL_TEST = {
	nothingAnswers: (host: string) =>
		`Nothing answers at ${host}. Check the spelling of Base URL, and that n8n can reach the service.`,
	isClosed: (host: string) =>
		sentences(
			`${host} has closed the connection without an answer. Test again.`,
			'If it happens again, check what stands between n8n and the service, such as a proxy or a firewall.',
		),
	certificateIsNotTrusted: (host: string) =>
		`The certificate of ${host} is not trusted. Check Base URL. If it is right, ask the service.`,
	doesNotSpeakTls: (host: string) =>
		`${host} answers, but not with TLS. Check Base URL and its port, and what stands between n8n and the service, such as a proxy.`,
	notAccepted: ({ words, advice }: Texts<'words' | 'advice'>) =>
		`The service does not accept the API Key or the signature: ${words}. ${advice}`,
	checkAll: 'Check API Key, the signature settings and the clock of the machine that runs n8n.',
	lookAt: (label: string) => `Look at ${label} first.`,
	lookAtTime: 'Look at Timestamp Format first, and at the clock of the machine that runs n8n.',
	hasTrouble: (status: string) =>
		`The service answered ${status}, so it is not known whether the keys are right. Wait a minute, then test again.`,
	notFound: 'The service was not found at this address. Check Base URL.',
	notTheService:
		'The address answers, but not like the Wallet Service with a valid key. Check Base URL, API Key and the signature settings.',
};

/** A field that asks who has said yes. */
export const PERSON = marked('limit', {
	isNobody: ({ label, given }: Texts<'label' | 'given'>) => ({
		message: `'${label}', the name of who has said yes, is no name of a person: ${given.trim() === '' ? 'it is empty' : excerpt(given.trim())}`,
		description: 'Enter the name of the person who has said yes, as text. Nothing is paid without one',
	}),
});

/** The setting of n8n under which a node gets one item of many. */
export const EXECUTE_ONCE = marked('limit', {
	leavesOut: ({ count, all }: Texts<'count' | 'all'>) => ({
		message: `'Execute Once' is on, so the node has got ${count} of ${all} items, and the others would be left out`,
		description: "Switch off 'Execute Once' in the settings of the node",
	}),
});
