import { existsSync, writeFileSync } from 'node:fs';
import { errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError, writeLine } from '../terminal/terminal.ts';
import { CONFIGURATION_NAMES } from './resolve-flags.ts';

/** `chat-conformance init`: writes a configuration, asks nothing, and changes no file that is there. */
export function runInitCommand(): void {
  const there = CONFIGURATION_NAMES.find((name) => existsSync(name));
  if (there !== undefined) return writeLine(`${there} is there already`);
  const [file] = CONFIGURATION_NAMES;
  try {
    writeFileSync(file, CONFIGURATION_TEXT, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`cannot write ${file} (${errorCode(error)})`);
  }
  writeLine(`wrote ${file}`);
  writeLine('Next: name your service there, add chat-conformance-report/ to .gitignore and print the --plan');
}

/** Whole as it stands: what a project has to change is in comments. */
const CONFIGURATION_TEXT = `import { defineConfig } from 'chat-conformance';

// Flags win over this file; --show-config prints what holds. Every setting: docs/configuration.md of the package.
export default defineConfig({
  // How much to send to a target: free, smoke, full or exhaustive. --plan prints what that is at most.
  tier: 'full',
  // The target of a command that names none.
  default: 'local',
  targets: {
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
    },
  },
});
`;
