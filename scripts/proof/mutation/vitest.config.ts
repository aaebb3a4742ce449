import { defineConfig } from 'vitest/config';

/** The tests of one part: StrykerJS's own choice of files leaves tables of words unmutated (StrykerJS #6144). */
export default defineConfig({
  test: {
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]'),
    // Runs over sockets are slow; a judgement has pure tests beside it.
    exclude: ['suites/errors/armed-checks.test.ts', 'suites/credits/credit-checks.test.ts'],
  },
});
