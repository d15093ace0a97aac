/** Before each test file: gives fast-check the seed of this run, which is printed when a test fails. */
import fc from 'fast-check';
import { SEED, TO_REPEAT } from '../host/testkit/random.ts';
import { whenFailed } from './whenFailed.ts';

fc.configureGlobal({ seed: SEED });
whenFailed(() => TO_REPEAT);
