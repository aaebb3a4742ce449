import { defineConfig } from 'vitest/config';
import { TESTS_VARIABLE } from './mutated-parts.ts';

/** The tests of one part: the mutation tool's own choice of files leaves word tables unmutated (StrykerJS #6144). */
export default defineConfig({
  test: {
    include: JSON.parse(process.env[TESTS_VARIABLE] ?? '[]'),
    // Whole runs over sockets are slow; a judgement has pure tests beside it.
    exclude: ['suites/errors/armed-checks.test.ts', 'suites/credits/credit-checks.test.ts'],
  },
});
