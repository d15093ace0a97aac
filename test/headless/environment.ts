import 'reflect-metadata';
import { resolve } from 'node:path';

// n8n-core writes its settings to the user's home by default. Jest's workers get a folder each, because they run at once.
process.env.N8N_USER_FOLDER = resolve('.local/headless', process.env.JEST_WORKER_ID ?? 'alone');
process.env.N8N_ENCRYPTION_KEY = 'fake-key-of-the-headless-tests';
// Otherwise each failing node prints its error into the output of the tests.
process.env.N8N_LOG_LEVEL = 'silent';
