/** Which names are of different people: as *Approved By* and the book count them. */
import { asOneName, differentNames } from '../../nodes/shared/approvers.ts';

test.each<[text: string, names: string[]]>([
	['', []],
	[' , ,', []],
	['Ada Obi', ['Ada Obi']],
	['Ada Obi, Ben Eze', ['Ada Obi', 'Ben Eze']],
	['Ada Obi,Ben Eze,Ada Obi', ['Ada Obi', 'Ben Eze']],
	['Ada Obi, ada obi', ['Ada Obi']],
	['Ada Obi,  ADA  OBI ', ['Ada Obi']],
	['Ada Obi, AdaObi', ['Ada Obi']],
	['Ada Obi, Ada\u00a0Obi', ['Ada Obi']],
	['Ada Obi, Ada\u200b Obi\u00ad', ['Ada Obi']],
	['Ada Obi, Ａｄａ Ｏｂｉ', ['Ada Obi']],
	['Zo\u00eb, Zoe\u0308', ['Zo\u00eb']],
	['Ada Obi, Ada-Obi', ['Ada Obi']],
	['Ada Obi, Ada\u2013Obi, Ada_Obi, ada.obi, "Ada Obi", Ada Obi.', ['Ada Obi']],
	["Chidi O'Neill, Chidi O\u2019Neill, Chidi ONeill", ["Chidi O'Neill"]],
	['Ada Obi, -, \u2026, (?)', ['Ada Obi']],
	['ada@acme.example, ben@acme.example', ['ada@acme.example', 'ben@acme.example']],
	['user 1, user 2', ['user 1', 'user 2']],
	['Anna Groß, ANNA GROSS', ['Anna Groß']],
	['Зоя, зоя', ['Зоя']],
	['Zoe, Zoë', ['Zoe', 'Zoë']],
	['王, 汪', ['王', '汪']],
	// Only a comma stands between names. In doubt there are fewer of them.
	['Ada Obi; Ben Eze', ['Ada Obi; Ben Eze']],
	['Ada Obi，Ben Eze', ['Ada Obi，Ben Eze']],
	['Ada Obi and Ben Eze', ['Ada Obi and Ben Eze']],
])('%j has the names %j', (text, names) => {
	expect(differentNames(text)).toEqual(names);
});

test.each([
	['Obi, Ada', 'Obi Ada'],
	['Ada,Ben;Cem，Dan；Eva、Finn،Gül؛Hal', 'Ada Ben Cem Dan Eva Finn Gül Hal'],
	[' Ada\r\nObi ', 'Ada Obi'],
	['Ada Obi', 'Ada Obi'],
])('one person who answers %j has one name', (answer, name) => {
	expect(asOneName(answer)).toBe(name);
	expect(differentNames(asOneName(answer))).toHaveLength(1);
});
