// Each run sets up n8n's record of processed items. n8n-core allows that once in a process.
globalThis.requireShared('reflect-metadata');
globalThis.requireShared('n8n-core').DataDeduplicationService.instance = undefined;
