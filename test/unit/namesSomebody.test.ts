/** Who has said yes. A text that names nobody pays nothing, so a doubt counts as nobody. */
import { namesSomebody } from '../../nodes/WalletService/shared/namesSomebody.ts';

test.each([
	...['Ada', 'Ada Obi', 'ada@example.com', 'A. Obi', 'Ada Obi, Ben Eze', 'Ada Obi; Ben Eze', 'Obi, Ada'],
	...['Bo No', 'Dr. No', 'Ada Null', 'Norbert True', 'Nan Goldin', 'Noé', 'Ng', 'Yesenia', 'Trueman', 'Nina'],
	...[
		'Ólafur',
		'Зоя',
		'王',
		'अदा',
		'عدا',
		'김',
		'D’Arcy',
		'O-Yun',
		'CFO',
		'Payout by chat',
		'Ada 2',
		'U0123ABC',
	],
])('%j names somebody', (text) => {
	expect(namesSomebody(text)).toBe(true);
});

test.each([
	...[
		'',
		' ',
		'\u00a0\t',
		'\u200b',
		'\u3164',
		'-',
		'–',
		'?',
		'…',
		', ',
		'0',
		'1',
		'2026-11-28',
		'✓',
		'👍',
		'ーー',
	],
	...[
		'no',
		'No.',
		' NO ',
		'(no)',
		'ｎｏ',
		'n o',
		'n\u200bo',
		'não',
		'nein',
		'false',
		'False',
		'f',
		'not yet',
		'never',
	],
	...[
		'yes',
		'Yes?',
		'yes!',
		'y',
		'ok',
		'true',
		'TRUE',
		'✔ ok',
		'x',
		'Ja',
		'oui',
		'sí',
		'yes, pay them',
		'approved',
	],
	...[
		'none',
		'null',
		'null null',
		'NULL',
		'undefined',
		'undefined undefined',
		'Ada undefined',
		'NaN',
		'nil',
		'None.',
	],
	...[
		'nobody',
		'no-one',
		'no one',
		'Nobody yet',
		'anybody',
		'someone',
		'n/a',
		'N.A.',
		'N / A',
		'#N/A',
		'unknown',
	],
	...[
		'tbd',
		'to be confirmed',
		'pending',
		'missing',
		'not approved',
		'not given',
		'not known',
		'unknown person',
	],
	...['the user', 'the approver', 'name', 'approvedBy', 'approved_by', 'me'],
	...['[object Object]', 'Invalid Date', '{}', '{{ $json.approvedBy }}', '{"approved":false}', '[""]'],
	// Each of several persons must have a name.
	...['Ada, no', 'no, Ada', 'Ada,', 'Ada, ', ', Ada', 'Ada,,Ben', 'Ada; -', 'Ada\nno', 'Ada，no', 'Ada、'],
])('%j names nobody', (text) => {
	expect(namesSomebody(text)).toBe(false);
});

test.each([undefined, null, true, false, 0, 1, {}, [], ['Ada Obi'], { name: 'Ada' }, () => 'Ada'])(
	'%p is no text, so it names nobody',
	(value) => {
		expect(namesSomebody(value)).toBe(false);
	},
);
