/** Who has said yes. What is clearly no name pays nothing. In doubt, a text is a name: people have every kind of it. */
import { namesSomebody } from '../../nodes/shared/namesSomebody.ts';

/** Typed by hand, from many languages. Many hold a word that means no, yes or nothing in another one. */
const REAL_NAMES = [
	// Africa
	...['Ada Obi', 'Nonso Nwankwo', 'Obi, N.', 'Nee Owoo', 'Nana Yaa Asantewaa', 'Noha Wahba', 'Notburga Moyo'],
	...[
		'Blessing Nobody-Okafor',
		'Sipho Ndlovu',
		'Ng’ang’a Njoroge',
		'Aïcha N’Diaye',
		'Tewodros II',
		'False Bay',
	],
	// East Asia
	...[
		'No Tae-woo',
		'No-eul Kim',
		'Roh Moo-hyun',
		'An No',
		'Ok Taec-yeon',
		'Ok Ja',
		'Na Moon-hee',
		'Sim Eun-kyung',
	],
	...[
		'Na Li',
		'Si Yan',
		'Ng',
		'Y. T. Ng',
		'Nan Huai-Chin',
		'Nao Yoshida',
		'Nao',
		'Oki Sato',
		'O-Yun',
		'王',
		'김',
		'直美',
	],
	...['マリー', 'X. Y. Zhang', 'Wai Yee Ok', 'Tran Thi No', 'Be To', 'Non Chanon', 'Yet Tse', 'Na Na'],
	// South and South-East Asia
	...[
		'Nay Lin',
		'Ne Win',
		'No No Aung',
		'Si Thu',
		'Si Mahmud',
		'Oki Setiana',
		'Ja Seng Ing',
		'Nil Madhab',
		'T. F. Khan',
	],
	...['अदा', 'நீலா', 'Nope Tan', 'N. A. Chohan', 'Om', 'Yes Pal Singh', 'Tbc Rahman', 'Anyone Gunawan'],
	// West Asia
	...['No’am Levi', "No'am Levi", 'Noa', 'عدا', 'نوري', 'نور النفي', 'İbrahim Yok', 'Ashot Voch', 'Nada Nil'],
	// Europe
	...[
		'Nein Müller',
		'Ja Müller',
		'Noé',
		'Née Duval',
		'Aimé Non',
		'Sí Ramírez',
		'João Sim',
		'Ólafur',
		'Nej Svensson',
	],
	...[
		'Зоя',
		'Нет Иванов',
		'D’Arcy',
		'Nóra Nagy',
		'Jan de Nee',
		'Nils Open',
		'Oui Laurent',
		'Dolores No',
		'Niall Ó Né',
	],
	// The Americas, and anywhere
	...[
		'Ja Rule',
		'Denise Cline',
		'Noah Nope',
		'Yes Chef',
		'Dr. No',
		'Bo No',
		'Ada Null',
		'Jennifer Null',
		'True Thompson',
	],
	...[
		'X González',
		'Norbert True',
		'Nan Goldin',
		'Deny Cardoso',
		'Alicia Person',
		'Will Pay',
		'Yesenia',
		'Trueman',
		'Nina',
	],
	...[
		'O. Kay',
		'O’Kay',
		'J.A.',
		'S.I.',
		'N. O. Brown',
		'M. E.',
		'King, T.',
		'Martin L. King, Jr.',
		'Rejected Records',
	],
	// What is written beside a name, or in place of one
	...[
		'ada@example.com',
		'A. Obi',
		'Ada Obi, Ben Eze',
		'Ada Obi; Ben Eze',
		'Obi, Ada',
		'Approved by Ada Obi',
		'Ada 2',
	],
	...[
		'Obi (née Eze)',
		'CFO',
		'Payout by chat',
		'Started by hand',
		'U0123ABC',
		'<b>Ada</b>',
		'Yes Ada',
		'No Ada',
	],
];

test.each(REAL_NAMES)('%j names somebody', (text) => {
	expect(namesSomebody(text)).toBe(true);
});

const EMPTY = [
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
		'\u0301',
	],
];

const UNFILLED_TEMPLATES = [
	...[
		'[object Object]',
		'Invalid Date',
		'{}',
		'{ }',
		'{{ $json.approvedBy }}',
		'{"approved":false}',
		'[""]',
		'{name}',
	],
	...[
		'${user}',
		'%s',
		'<name>',
		'[Name]',
		'%name%',
		'$json.approvedBy',
		"$('Form').item.json.Name",
		'Ada {{ $json.last }}',
	],
	...['undefined', 'undefined undefined', 'Ada undefined', 'Ada %s'],
];

/** Each word of the lists, alone. */
const WORDS = [
	...['no', 'nope', 'non', 'nein', 'nee', 'nej', 'não', 'never', 'false', 'not'],
	...['nobody', 'noone', 'anybody', 'anyone', 'everybody', 'everyone', 'somebody', 'someone'],
	...['declined', 'denied', 'disapproved', 'refused', 'rejected', 'cancelled', 'canceled', 'pending'],
	...[
		'null',
		'nan',
		'nil',
		'none',
		'tba',
		'tbc',
		'tbd',
		'unknown',
		'blank',
		'empty',
		'missing',
		'open',
		'waiting',
	],
	...['approve', 'approved', 'approvedBy', 'approver', 'approval', 'confirmed', 'name', 'person', 'user'],
	...['n', 'f', 'y', 't', 'x', 'na', 'me'],
];

const YES_WORDS = ['yes', 'yep', 'yeah', 'ok', 'okay', 'true', 'ja', 'oui', 'si', 'sí', 'sim'];

const ONLY_WORDS = [
	...[
		'No.',
		' NO ',
		'(no)',
		'ｎｏ',
		'n o',
		'n\u200bo',
		'na\u0303o',
		'False',
		'null null',
		'NULL',
		'NaN',
		'None.',
	],
	...['Yes?', 'yes!', 'TRUE', '✔ ok', 'O.K.', 'yes, pay them', 'yes approved', 'ok, confirmed'],
	...['n/a', 'N.A.', 'N / A', '#N/A', 'NA', 'no-one', 'no one', 'No one yet', 'Nobody yet', 'unknown person'],
	...[
		'to be confirmed',
		'not approved',
		'not given',
		'not known',
		'not yet',
		'the user',
		'your name',
		'approved_by',
	],
	...['approved by', 'the approver', 'it was nobody', 'name is missing'],
];

/** Each no and each decision, with what shows that another thing follows. */
const WITH_SIGN = [
	...['No', 'Nope', 'Non', 'Nein', 'Nee', 'Nej', 'Não', 'Never', 'False', 'Nobody', 'Noone', 'No one'],
	...['Declined', 'Denied', 'Disapproved', 'Refused', 'Rejected', 'Cancelled', 'Canceled', 'Pending'],
].map((word) => `${word}: Ada`);

const NO_OR_DECISION_FIRST = [
	...['Declined by Ada', 'declined by Ada Obi', 'DENIED - Ada', 'refused (Ada)', 'Denied. Ada'],
	...['Rejected from Ada', 'Disapproved by Ada', 'cancelled by Ada', 'Canceled/Ada', '*Refused* Ada'],
	...[
		'No! Ada',
		'no - Ada',
		'No -Ada',
		'no—Ada',
		'No. Ada',
		'No by Ada',
		'no from Ada',
		'no/Ada',
		'(no) Ada',
	],
	...['Non! Ada', 'nobody from finance', 'Never! Ada', 'nej - Ada', 'nope; Ada'],
];

const NOT_SOMEBODY = [
	'not Ada',
	'NOT Ada Obi',
	'not-Ada',
	'(not Ada)',
	'do not pay',
	'Do  not pay, Ada',
	"don't pay",
	'don’t pay',
];

/** Of several names, each part must be one. */
const OF_SEVERAL = [
	...[
		'Ada, no',
		'no, Ada',
		'Ada,',
		'Ada, ',
		', Ada',
		'Ada,,Ben',
		'Ada; -',
		'Ada\nno',
		'Ada，no',
		'Ada、',
		'Ada, yes',
		'Yes, Ada',
	],
	...['Ada, declined by Ben', 'Ada, not Ben', 'Ada، no', 'Ada؛ no', 'Ada\rno'],
];

test.each([
	...[...EMPTY, ...UNFILLED_TEMPLATES, ...WORDS, ...YES_WORDS, ...ONLY_WORDS],
	...[...WITH_SIGN, ...NO_OR_DECISION_FIRST, ...NOT_SOMEBODY, ...OF_SEVERAL],
])('%j names nobody', (text) => {
	expect(namesSomebody(text)).toBe(false);
});

test.each([undefined, null, true, false, 0, 1, {}, [], ['Ada Obi'], { name: 'Ada' }, () => 'Ada'])(
	'%p is no text, so it names nobody',
	(value) => {
		expect(namesSomebody(value)).toBe(false);
	},
);
