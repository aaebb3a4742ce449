import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{suites,mock-server,fixtures,scripts}/**/*.test.ts'],
          // Some tests start processes, and one packs and installs the whole package.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['scripts/conformance.vitest.ts'],
          // The engine has deadlines of its own; a timeout here would not stop what it sends.
          testTimeout: 0,
          hookTimeout: 0,
        },
      },
    ],
  },
});
