// Tests make keys while they are collected. All runs of a process share them: the nth call of a run gets the answer of the nth call.
const openSsl = globalThis.requireShared('../unit/openSsl.ts');

const answers = (globalThis.openSslAnswers ??= new Map());
const calls = new Map();

module.exports = Object.fromEntries(
	Object.entries(openSsl).map(([name, make]) => [
		name,
		(...parameters) => {
			const call = JSON.stringify([name, ...parameters]);
			const count = (calls.get(call) ?? 0) + 1;
			calls.set(call, count);
			const id = `${count} ${call}`;
			if (!answers.has(id)) answers.set(id, make(...parameters));
			return answers.get(id);
		},
	]),
);
