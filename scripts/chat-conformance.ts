#!/usr/bin/env node
import module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  // oxlint-disable-next-line eslint/no-restricted-properties -- an older Node may not load what prints
  process.stderr.write(`error: Node 22.19 or later is needed, and this is ${process.versions.node}\n`);
  process.exit(2);
}

// An exception that nobody waits for, perhaps one of a user's module, or of a dependency that is not installed: Node would exit
// as if there were violations.
let failed = (error: unknown): number => {
  // oxlint-disable-next-line eslint/no-restricted-properties -- what prints is not loaded
  process.stderr.write(`internal error: ${String(error)}\n`);
  return 3;
};
process.on('uncaughtException', (error) => void process.exit(failed(error)));

// Before anything else is loaded: it halves the time to the mock's first answer.
module.enableCompileCache();
const { runCommandLine } = await import('./cli/command-line.ts');
({ commandFailure: failed } = await import('./cli/terminal/terminal.ts'));
await runCommandLine(process.argv.slice(2));
