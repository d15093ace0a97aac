import { readFileSync } from 'node:fs';
import { exampleNames } from '../../host/examples.ts';
import { EXECUTED_BY } from './executedExamples.ts';

test('every example is executed by a test', () => {
	for (const file of Object.keys(EXECUTED_BY))
		expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(`\ntestExamplesOf('${file}', stack`);
	expect(Object.values(EXECUTED_BY).flat().sort()).toEqual(exampleNames().sort());
});
