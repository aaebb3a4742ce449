import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What starts processes, a browser or a package, and the runs of whole worlds. */
const SLOW = ['scripts/e2e/**/*.test.ts', 'scripts/proof/**/*.test.ts'];

/** Runs against software of others, which npm installs: `npm run test:software`. */
const SOFTWARE = ['scripts/e2e/software/*.test.ts'];

const DEFINE_CONFIG = fileURLToPath(new URL('scripts/cli/config/define-config.ts', import.meta.url));

/** Real sockets and processes on a busy machine: the gate tries a failed test twice more, and its output names each that needed it. */
const RETRY = process.env['CI'] === undefined ? 0 : 2;

/** A busy machine takes longer than the second that vitest waits for. */
const PATIENT = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    // Many tests wait for processes: four workers more than cores keep all of them busy, and each loads the product once more.
    maxWorkers: availableParallelism() + 4,
    // Tests side by side in one file wait for nearly all of their time.
    maxConcurrency: 16,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{suites,mock-server,fixtures,scripts}/**/*.test.ts'],
          exclude: SLOW,
          // No test leaves anything behind in a module, so that files share what a worker has loaded.
          isolate: false,
          testTimeout: 60_000,
          retry: RETRY,
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'e2e',
          include: SLOW,
          exclude: SOFTWARE,
          globalSetup: 'scripts/e2e/support/build-command.ts',
          // As above, and each file would load the whole product anew.
          isolate: false,
          // Processes on a busy machine take many times as long.
          testTimeout: 120_000,
          retry: RETRY,
          expect: PATIENT,
          // One test packs and installs the whole package first.
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'software',
          include: SOFTWARE,
          globalSetup: 'scripts/e2e/support/build-command.ts',
          testTimeout: 120_000,
        },
      },
      {
        // The package by its name, for a configuration and checks of one's own.
        resolve: {
          alias: {
            'chat-conformance/checks': fileURLToPath(new URL('scripts/checks.ts', import.meta.url)),
            'chat-conformance/config': DEFINE_CONFIG,
            'chat-conformance': DEFINE_CONFIG,
          },
        },
        test: {
          name: 'conformance',
          include: ['scripts/conformance.vitest.ts'],
          // The engine has its own deadlines; a timeout here would not stop its requests.
          testTimeout: 0,
          hookTimeout: 0,
        },
      },
    ],
  },
});
