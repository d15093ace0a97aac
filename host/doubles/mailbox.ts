/** A mail server for tests and `npm start`: it takes every mail, forwards none, and shows them on a page. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { serve } from './loopbackServer.ts';
import { mailboxFile, type Mail } from './mailboxPage.ts';

export type { Mail } from './mailboxPage.ts';

const LOCAL = '127.0.0.1';
/** Older mails are forgotten. */
const MAX_MAILS = 200;

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Listens on two free ports of the loopback interface. */
export async function startMailbox() {
	/** Oldest first. */
	const mails: Mail[] = [];
	/** What happens to the next mails: `refuse` them, or take them and `hangUp` without an answer. */
	const faults: Array<'refuse' | 'hangUp'> = [];

	const take = async (stream: SMTPServerDataStream, { envelope }: SMTPServerSession) => {
		const { subject = '', text = '', html, attachments } = await simpleParser(stream);
		const fault = faults.shift();
		if (fault === 'refuse') throw Object.assign(new Error('Try again later'), { responseCode: 451 });
		mails.push({
			from: envelope.mailFrom ? envelope.mailFrom.address : '',
			to: envelope.rcptTo.map(({ address }) => address),
			subject,
			text: text.trimEnd(),
			...(html && { html }),
			...(attachments.length > 0 && {
				attachments: attachments.map(({ filename = '', content }) => ({ name: filename, content })),
			}),
			receivedAt: new Date(),
		});
		mails.splice(0, mails.length - MAX_MAILS);
		return fault;
	};

	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		// Waiting for clients to say goodbye would delay the stop.
		closeTimeout: 100,
		onData: (stream, session, callback) => {
			take(stream, session).then((fault) => {
				if (fault !== 'hangUp') return callback();
				for (const connection of server.connections as Set<{ session: unknown; close: () => void }>)
					if (connection.session === session) connection.close();
			}, callback);
		},
	});
	// A client that breaks off is not a failure of the server.
	server.on('error', () => {});
	await once(server.listen(0, LOCAL), 'listening');
	const { port } = server.server.address() as AddressInfo;
	/** The data of n8n's SMTP credential. */
	const smtp = { host: LOCAL, port, user: '', password: '', secure: false, disableStartTls: true };

	const page = await serve(async ({ headers, url }, outgoing) => {
		const file = await mailboxFile(`http://${headers.host}${url}`, mails);
		if (file === undefined) return outgoing.writeHead(404).end();
		return outgoing.writeHead(200, file.headers).end(file.text);
	});

	const stop = async () => {
		await Promise.all([new Promise<void>((done) => server.close(done)), page.stop()]);
	};
	return { url: page.url, smtp, mails, faults, stop };
}
