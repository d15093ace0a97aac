import 'reflect-metadata';
import { resolve } from 'node:path';

// n8n-core reads its settings from the environment, and writes them to the user's home unless it is told otherwise.
// One folder for each of Jest's workers, since they would write the same file at the same time.
process.env.N8N_USER_FOLDER = resolve('.local/headless', process.env.JEST_WORKER_ID ?? 'alone');
process.env.N8N_ENCRYPTION_KEY = 'fake-key-of-the-headless-tests';
// Every failing node would print its error beside the test's own output.
process.env.N8N_LOG_LEVEL = 'silent';
