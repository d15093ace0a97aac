/** The mail server of `npm start`, used as SMTP clients use it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { startMailbox, type Mailbox } from '../../host/doubles/mailbox.ts';
import { send as sendHttp } from './client.ts';

let mailbox: Mailbox;
beforeEach(async () => void (mailbox = await startMailbox()));
afterEach(() => mailbox.stop());

/** Sends a mail and returns the server's replies. */
async function send(to: string[], content: string): Promise<string[]> {
	const socket = connect(Number(mailbox.smtp.port), '127.0.0.1');
	// The server greets first.
	await once(socket, 'readable');
	const recipients = to.map((address) => `RCPT TO:<${address}>`);
	const lines = ['EHLO client.example', 'MAIL FROM:<wallet@example.com>', ...recipients, 'DATA', content];
	socket.write([...lines, '.', 'QUIT', ''].join('\n').replaceAll('\n', '\r\n'));
	let text = '';
	socket.on('data', (chunk) => (text += String(chunk)));
	await once(socket, 'close');
	return text.split('\r\n').filter((line) => /^\d{3} /.test(line));
}

const page = (headers = {}) => sendHttp(mailbox.url, 'GET', undefined, headers);

const MAIL = `From: Wallet <wallet@example.com>
To: Ada <ada@example.com>
Subject: =?utf-8?Q?Deposit_of_=E2=82=A65?=
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

0.123456789012345678 =E2=82=A6 <b>arrived</b>`;

const LIST = 'paymentKey,amount\nINV-1,5 <b>';
const ENCODED_LIST = Buffer.from(LIST).toString('base64');
const MAIL_WITH_LIST = `Subject: List
Content-Type: multipart/mixed; boundary=part

--part
Content-Type: text/plain

Answer here: http://127.0.0.1:5678/form?a=1&b=2
--part
Content-Type: text/csv
Content-Disposition: attachment; filename="list.csv"
Content-Transfer-Encoding: base64

${ENCODED_LIST}
--part--`;

test('the mailbox keeps each mail with recipients, subject and text, and its page shows them', async () => {
	expect((await page()).text).toContain('None yet');
	await send(['ada@example.com', 'copy@example.com'], MAIL);
	const envelope = { from: 'wallet@example.com', to: ['ada@example.com', 'copy@example.com'] };
	const mail = { subject: 'Deposit of ₦5', text: '0.123456789012345678 ₦ <b>arrived</b>' };
	expect(mailbox.mails).toEqual([{ ...envelope, ...mail, receivedAt: expect.any(Date) }]);
	const { text } = await page();
	expect(text).toContain('<h2>Deposit of ₦5</h2>');
	expect(text).toContain('ada@example.com, copy@example.com');
	expect(text).toContain('0.123456789012345678 ₦ &lt;b&gt;arrived&lt;/b&gt;');
});

test('the page shows an attached list, offers it as a file, and links the addresses in a mail', async () => {
	await send(['ada@example.com'], MAIL_WITH_LIST);
	expect(mailbox.mails).toMatchObject([{ attachments: [{ name: 'list.csv', content: Buffer.from(LIST) }] }]);
	const { text } = await page();
	expect(text).toContain('href="http://127.0.0.1:5678/form?a=1&amp;b=2"');
	expect(text).toContain('INV-1,5 &lt;b&gt;');
	expect(text).toContain(`download="list.csv" href="data:application/octet-stream;base64,${ENCODED_LIST}"`);
});

test('the mailbox refuses a mail, or takes it without an answer, when a test asks for it', async () => {
	mailbox.faults.push('refuse', 'hangUp');
	expect(await send(['ada@example.com'], MAIL)).toContainEqual(expect.stringMatching(/^451 /));
	expect(mailbox.mails).toHaveLength(0);
	expect((await send(['ada@example.com'], MAIL)).at(-1)).toMatch(/^354 /);
	expect(mailbox.mails).toHaveLength(1);
});

test('the page of the mailbox opens only under an address of this machine', async () => {
	expect((await page({ host: 'mails.example.com' })).status).toBe(404);
	expect((await page()).status).toBe(200);
});
