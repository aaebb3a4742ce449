import { defineConfig } from 'vitest/config';
import { TESTS_VARIABLE } from './mutated-parts.ts';

/** The tests of one part: the mutation tool's own choice of files leaves word tables unmutated (StrykerJS #6144). */
export default defineConfig({
  test: { include: JSON.parse(process.env[TESTS_VARIABLE] ?? '[]') },
});
