/** A mail server for tests and `npm start`: it takes every mail, forwards none, and shows them on a page. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { isLoopback } from '../../api/address.ts';
import { mailboxFile } from './mailboxPage.ts';
import type { Mail } from './mailboxPage.ts';

export type { Mail } from './mailboxPage.ts';

const LOCAL = '127.0.0.1';
/** Older mails are forgotten. */
const MAX_MAILS = 200;

export interface Mailbox {
	/** Where to read the mails. */
	url: string;
	/** The data of n8n's SMTP credential. */
	smtp: Record<string, unknown>;
	/** Oldest first. */
	mails: Mail[];
	/** The answers to the next mails: `refuse` them, or take them and `hangUp` without an answer. */
	faults: Array<'refuse' | 'hangUp'>;
	stop: () => Promise<void>;
}

/** Listens on two free ports of the loopback interface. */
export async function startMailbox(): Promise<Mailbox> {
	const mails: Mail[] = [];
	const faults: Mailbox['faults'] = [];

	const take = async (stream: SMTPServerDataStream, { envelope }: SMTPServerSession) => {
		const { subject = '', text = '' } = await simpleParser(stream);
		const fault = faults.shift();
		if (fault === 'refuse') throw Object.assign(new Error('Try again later'), { responseCode: 451 });
		mails.push({
			from: envelope.mailFrom ? envelope.mailFrom.address : '',
			to: envelope.rcptTo.map(({ address }) => address),
			subject,
			text: text.trimEnd(),
			receivedAt: new Date(),
		});
		mails.splice(0, mails.length - MAX_MAILS);
		return fault === 'hangUp' ? 'hangUp' : 'done';
	};

	const smtp = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		// Waiting for clients to say goodbye would delay the stop.
		closeTimeout: 100,
		onData: (stream, session, callback) => {
			take(stream, session).then((end) => {
				if (end === 'done') return callback();
				for (const connection of smtp.connections as Set<{ session: unknown; close: () => void }>)
					if (connection.session === session) connection.close();
			}, callback);
		},
	});
	// A client that breaks off is not a failure of the server.
	smtp.on('error', () => {});
	smtp.listen(0, LOCAL);
	await once(smtp.server, 'listening');

	const http = createServer((incoming, outgoing) => {
		const file = fileFor(`http://${incoming.headers.host}${incoming.url}`, mails);
		if (file === undefined) outgoing.writeHead(404).end();
		else {
			outgoing.writeHead(200, Object.fromEntries(file.headers));
			void file.text().then((text) => outgoing.end(text));
		}
	});
	http.listen(0, LOCAL);
	await once(http, 'listening');

	return {
		url: `http://${LOCAL}:${(http.address() as AddressInfo).port}`,
		smtp: {
			host: LOCAL,
			port: (smtp.server.address() as AddressInfo).port,
			user: '',
			password: '',
			secure: false,
			disableStartTls: true,
		},
		mails,
		faults,
		stop: async () => {
			const closed = Promise.all([
				new Promise<void>((done) => smtp.close(() => done())),
				new Promise<void>((done) => http.close(() => done())),
			]);
			http.closeAllConnections();
			await closed;
		},
	};
}

/** Another host name means that a page of another site asks (DNS rebinding). */
function fileFor(address: string, mails: readonly Mail[]): Response | undefined {
	if (!URL.canParse(address)) return undefined;
	const { hostname, pathname } = new URL(address);
	return isLoopback(hostname) ? mailboxFile(pathname, mails) : undefined;
}
