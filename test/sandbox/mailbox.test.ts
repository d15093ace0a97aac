/** The mail server of `npm start`, used as SMTP clients use it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { startMailbox, type Mailbox } from '../../host/doubles/mailbox.ts';
import { send } from './client.ts';

let mailbox: Mailbox;
beforeEach(async () => void (mailbox = await startMailbox()));
afterEach(() => mailbox.stop());

const page = (headers = {}) => send(mailbox.url, 'GET', undefined, headers);

const LIST = 'paymentKey,amount\nINV-1,5 <b>';
const ENCODED_LIST = Buffer.from(LIST).toString('base64');
const MAIL_WITH_LIST = `Subject: =?utf-8?Q?List_of_=E2=82=A65?=
Content-Type: multipart/mixed; boundary=part

--part
Content-Type: text/plain

<b>Answer</b> here: http://127.0.0.1:5678/form?a=1&b=2
--part
Content-Type: text/csv
Content-Disposition: attachment; filename="list.csv"
Content-Transfer-Encoding: base64

${ENCODED_LIST}
--part--`;

test('the page shows a mail and its list as text, offers the list as a file, and links its addresses', async () => {
	expect((await page()).text).toContain('None yet');
	const socket = connect(Number(mailbox.smtp.port), '127.0.0.1');
	// The server greets first.
	await once(socket, 'readable');
	const recipients = ['ada@example.com', 'copy@example.com'];
	const lines = ['EHLO client.example', 'MAIL FROM:<wallet@example.com>'];
	lines.push(...recipients.map((address) => `RCPT TO:<${address}>`), 'DATA', MAIL_WITH_LIST, '.', 'QUIT', '');
	socket.write(lines.join('\n').replaceAll('\n', '\r\n'));
	await once(socket.resume(), 'close');

	const { text } = await page();
	for (const shown of [
		'<h2>List of ₦5</h2>',
		recipients.join(', '),
		'&lt;b&gt;Answer&lt;/b&gt;',
		'href="http://127.0.0.1:5678/form?a=1&amp;b=2"',
		'INV-1,5 &lt;b&gt;',
		`download="list.csv" href="data:application/octet-stream;base64,${ENCODED_LIST}"`,
	])
		expect(text).toContain(shown);
});

test('the page of the mailbox opens only under an address of this machine', async () => {
	expect((await page({ host: 'mails.example.com' })).status).toBe(404);
	expect((await page()).status).toBe(200);
});
