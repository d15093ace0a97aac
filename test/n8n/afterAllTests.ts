/** Jest calls this once, after all tests, in the process of `beforeAllTests`. */
export default async function afterAllTests(): Promise<void> {
	await (globalThis as { stopSharedN8n?: () => Promise<void> }).stopSharedN8n?.();
}
