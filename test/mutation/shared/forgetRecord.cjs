// Each test file sets up n8n's record of processed items, and n8n-core allows that once.
globalThis.requireShared('reflect-metadata');
globalThis.requireShared('n8n-core').DataDeduplicationService.instance = undefined;
