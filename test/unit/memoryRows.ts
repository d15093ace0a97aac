import type { Rows } from '../../nodes/shared/store/rows.ts';

interface MemoryRows extends Rows {
	/** Texts by name. */
	table: Map<string, string[]>;
}

/** Rows in memory. Each call is one step. */
export function memoryRows(table = new Map<string, string[]>()): MemoryRows {
	const placeOf = (name: string[]) => name.join(' ');
	const make: Rows['make'] = async (name, ...texts) => {
		await Promise.resolve();
		const there = table.get(placeOf(name));
		if (there === undefined) table.set(placeOf(name), texts);
		const missing = texts.filter((text) => there?.includes(text) === false);
		if (there === undefined) return { is: 'made' };
		return missing.length === 0 ? { is: 'mine' } : { is: 'others', missing };
	};
	return {
		workflowId: 'workflow',
		table,
		make,
		take: async (name, ...texts) => {
			const made = await make(name, ...texts);
			return made.is === 'mine' ? { is: 'others', missing: [] } : made;
		},
		exists: async (name) => await Promise.resolve(table.has(placeOf(name))),
		count: async (name) => await Promise.resolve((table.get(placeOf(name))?.length ?? -1) + 1),
		delete: async (name) => {
			await Promise.resolve();
			table.delete(placeOf(name));
		},
	};
}
