import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const QUICK = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];

/** So that npm says that the registry is unreachable before a test gives up waiting. */
const IMPATIENT = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=1000'];

/** A project in a new folder, of which nothing is installed yet. */
export function newProject(dependencies: Readonly<Record<string, string>> = {}): {
  readonly folder: string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-package-'));
  const manifest = { private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Has npm add packages to a project, as its user would. */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  await promisify(execFile)('npm', ['install', ...QUICK, ...IMPATIENT, ...packages], { cwd: folder });
}
