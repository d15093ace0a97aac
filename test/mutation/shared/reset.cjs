// Each test file sets n8n's record of processed items up for itself.
globalThis.requireOnce('reflect-metadata');
globalThis.requireOnce('n8n-core').DataDeduplicationService.instance = undefined;
