import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError, writeLine } from '../terminal/terminal.ts';
import { CONFIGURATION_NAMES } from './resolve-flags.ts';

const JOB_FILE = '.github/workflows/chat-conformance.yml';
const IGNORED = 'chat-conformance-report/';

/**
 * `chat-conformance init`: writes a configuration, a CI job and a line for git. Asks nothing, and changes no file that
 * is there, but adds to `.gitignore`.
 * @throws {UsageError} When a file cannot be written.
 */
export function runInitCommand(): void {
  const file = CONFIGURATION_NAMES.find((name) => existsSync(name)) ?? CONFIGURATION_NAMES[0];
  writeNew(file, configurationHere());
  writeNew(JOB_FILE, JOB_TEXT);
  guarded('.gitignore', ignoreReports);
  writeLine('Next: say there where your service is, then chat-conformance --plan');
}

function writeNew(file: string, text: string): void {
  if (existsSync(file)) return writeLine(`${file} is there already`);
  guarded(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  });
  writeLine(`wrote ${file}`);
}

function ignoreReports(): void {
  const before = existsSync('.gitignore') ? readFileSync('.gitignore', 'utf8') : '';
  const lines = before.split(/\r?\n/).map((line) => line.trim().replaceAll(/^\/|\/$/g, ''));
  if (lines.includes(IGNORED.slice(0, -1))) return writeLine('.gitignore has its line already');
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  writeFileSync('.gitignore', `${before}${separator}${IGNORED}\n`);
  writeLine(`added ${IGNORED} to .gitignore`);
}

function guarded(file: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    throw new UsageError(`cannot write ${file} (${errorCode(error)})`);
  }
}

/** A port as development servers take it. */
const PORT = /(?<=(?:--port|-p|\bPORT)[= ]|:)\d{2,5}\b/;

/** With the port of the script `dev` of the project, where that can be seen. */
function configurationHere(): string {
  const file = existsSync('package.json') ? readFileSync('package.json', 'utf8') : '';
  const [, dev = ''] = /"dev"\s*:\s*"([^"]*)"/.exec(file) ?? [];
  const [port] = PORT.exec(dev) ?? [];
  if (port === undefined) return CONFIGURATION_TEXT;
  return CONFIGURATION_TEXT.replace(' -- --port 8080', '').replace('8080', port);
}

/** Whole as it stands: what a project has to change is in comments. */
const CONFIGURATION_TEXT = `import { defineConfig } from 'chat-conformance';

// Flags win over this file; --show-config prints what holds. Every setting: docs/configuration.md of the package.
export default defineConfig({
  // How much to send to a target: free, smoke, full or exhaustive. --plan prints what that is at most.
  tier: 'full',

  // Failures that are known and do not fail a run: --write-baseline makes the file.
  // baseline: 'conformance/known.json',

  // The target of a command that names none.
  default: 'local',

  targets: {
    // chat-conformance --watch
    local: {
      baseUrl: 'http://127.0.0.1:8080/v1',
      // Starts the service, and ends it. With {port} here and in baseUrl it gets a free port.
      // start: 'npm run dev -- --port 8080',
      // No key stands here: only where it is.
      keys: { primary: { env: 'CHAT_API_KEY' } },
    },

    // chat-conformance --target staging
    staging: {
      baseUrl: 'https://staging.example/v1',
      // A key with other models (second), and one without the inference scope (unscoped), exercise more clauses.
      keys: { primary: { env: 'STAGING_API_KEY' } },
      // headers: { 'x-team': 'blue', 'x-gateway-token': { env: 'GATEWAY_TOKEN' } },
      tier: 'smoke',
      // The same inputs in every run; leave it out where each run should try others.
      seed: 1,
      failOn: ['warn'],
    },
  },
});
`;

/** The package is installed by the lockfile of the project: npx must not fetch one of that name from elsewhere. */
const JOB_TEXT = `# Checks the staging deployment. chat-conformance has to be a development dependency of this project.
name: Chat conformance
on:
  workflow_dispatch:
permissions:
  contents: read
concurrency: chat-conformance-staging
jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 24
      - run: npm ci
      - run: npx --no -- chat-conformance --target staging --report chat-conformance-report
        env:
          STAGING_API_KEY: \${{ secrets.STAGING_API_KEY }}
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: conformance
          path: chat-conformance-report
`;
