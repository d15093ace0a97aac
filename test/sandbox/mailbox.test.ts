/** The mail server of `npm start`, spoken to as SMTP clients do. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { startMailbox } from '../../host/doubles/mailbox.ts';
import type { Mailbox } from '../../host/doubles/mailbox.ts';

let mailbox: Mailbox;
beforeEach(async () => {
	mailbox = await startMailbox();
});
afterEach(() => mailbox.stop());

/** Sends a mail. Returns the replies of the server; there is none to the mail if it hangs up. */
async function send(to: string[], content: string[]): Promise<string[]> {
	const socket = connect(Number(mailbox.smtp.port), '127.0.0.1');
	// The server greets first.
	await once(socket, 'readable');
	socket.write(
		[
			'EHLO client.example',
			'MAIL FROM:<wallet@example.com>',
			...to.map((address) => `RCPT TO:<${address}>`),
			'DATA',
			...content,
			'.',
			'QUIT',
			'',
		].join('\r\n'),
	);
	let text = '';
	socket.on('data', (chunk) => (text += String(chunk)));
	await once(socket, 'close');
	return text.split('\r\n').filter((line) => /^\d{3} /.test(line));
}

const page = async (headers = {}) => {
	const { statusCode, body } = await request(mailbox.url, { headers });
	return { status: statusCode, text: await body.text() };
};

// Quoted-printable and encoded words, as in RFC 2045 and RFC 2047.
const MAIL = [
	'From: Wallet <wallet@example.com>',
	'To: Ada <ada@example.com>',
	'Subject: =?utf-8?Q?Deposit_of_=E2=82=A65?=',
	'Content-Type: text/plain; charset=utf-8',
	'Content-Transfer-Encoding: quoted-printable',
	'',
	'0.1234567890=',
	'12345678 =E2=82=A6 <b>arrived</b>',
];

test('the mailbox keeps each mail with recipients, subject and text, and its page shows them', async () => {
	expect((await page()).text).toContain('None yet');
	await send(['ada@example.com', 'copy@example.com'], MAIL);
	expect(mailbox.mails).toEqual([
		{
			from: 'wallet@example.com',
			to: ['ada@example.com', 'copy@example.com'],
			subject: 'Deposit of ₦5',
			text: '0.123456789012345678 ₦ <b>arrived</b>',
			receivedAt: expect.any(Date),
		},
	]);
	const { text } = await page();
	expect(text).toContain('<h2>Deposit of ₦5</h2>');
	expect(text).toContain('ada@example.com, copy@example.com');
	expect(text).toContain('0.123456789012345678 ₦ &lt;b&gt;arrived&lt;/b&gt;');
});

test('the mailbox shows an attached list and offers it as a file, and the links of a mail can be clicked', async () => {
	const file = 'paymentKey,amount\nINV-1,5 <b>';
	await send(
		['ada@example.com'],
		[
			'Subject: List',
			'Content-Type: multipart/mixed; boundary=part',
			'',
			'--part',
			'Content-Type: text/plain',
			'',
			'Answer here: http://127.0.0.1:5678/form?a=1&b=2',
			'--part',
			'Content-Type: text/csv',
			'Content-Disposition: attachment; filename="list.csv"',
			'Content-Transfer-Encoding: base64',
			'',
			Buffer.from(file).toString('base64'),
			'--part--',
		],
	);
	expect(mailbox.mails).toMatchObject([{ attachments: [{ name: 'list.csv', content: Buffer.from(file) }] }]);
	const { text } = await page();
	expect(text).toContain('href="http://127.0.0.1:5678/form?a=1&amp;b=2"');
	expect(text).toContain('INV-1,5 &lt;b&gt;');
	expect(text).toContain(
		`download="list.csv" href="data:application/octet-stream;base64,${Buffer.from(file).toString('base64')}"`,
	);
});

test('the mailbox refuses a mail, or takes it without an answer, when a test asks for it', async () => {
	mailbox.faults.push('refuse', 'hangUp');
	expect(await send(['ada@example.com'], MAIL)).toContainEqual(expect.stringMatching(/^451 /));
	expect(mailbox.mails).toHaveLength(0);
	expect((await send(['ada@example.com'], MAIL)).at(-1)).toMatch(/^354 /);
	expect(mailbox.mails).toHaveLength(1);
});

test('the page of the mailbox opens only under the address of this machine', async () => {
	expect((await page({ host: 'mails.example.com' })).status).toBe(404);
	expect((await page()).status).toBe(200);
});
