import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const IGNORED = new Set(['node_modules', 'chat-conformance-report']);

/** Packs this package as it would be published, from what the build of the image sees of the repository; returns its file. */
export async function packedPackage(folder: string): Promise<string> {
  const build = join(folder, 'build');
  mkdirSync(build);
  const lines = readFileSync(join(ROOT, 'scripts', 'container', 'Dockerfile.dockerignore'), 'utf8').split(
    '\n',
  );
  for (const name of lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))
    cpSync(join(ROOT, name), join(build, name), {
      recursive: true,
      filter: (path) => !IGNORED.has(basename(path)),
    });
  symlinkSync(join(ROOT, 'node_modules'), join(build, 'node_modules'));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: build });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
}

/** The last five: npm asks again where the registry says nothing, and says so before a test gives up waiting. */
const INSTALL =
  'install --prefer-offline --ignore-scripts --no-audit --no-fund --fetch-retries=3 --fetch-timeout=20000 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=1000';

/** A new project that uses these packages, to which npm adds the package, as its user would. */
export async function projectWith(
  tarball: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-package-'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  await run('npm', [...INSTALL.split(' '), tarball], { cwd: folder });
  return folder;
}

/** What npm would install where a lockfile has settled the release of `openai`, and the manifest allows later ones. */
export async function lockedBeside(
  tarball: string,
  openai: string,
): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-locked-'));
  const dependencies = { openai: `^${openai}` };
  const settled = { '': { dependencies }, 'node_modules/openai': { version: openai } };
  const lockfile = join(folder, 'package-lock.json');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(lockfile, JSON.stringify({ lockfileVersion: 3, requires: true, packages: settled }));
  await run('npm', [...INSTALL.split(' '), '--package-lock-only', tarball], { cwd: folder });
  const { packages }: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync(lockfile, 'utf8'),
  );
  rmSync(folder, { recursive: true });
  return Object.fromEntries(
    Object.entries(packages).map(([place, { version }]) => [place.replace('node_modules/', ''), version]),
  );
}

/** A project that uses the neighbours of this repository, and the package as it is installed in another project. */
export function projectOfThisRepository(installedIn: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-newest-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const installed = join(installedIn, 'node_modules');
  const own = join(ROOT, 'node_modules');
  symlinkSync(join(own, 'tested-client'), join(modules, 'openai'));
  symlinkSync(join(own, 'vitest'), join(modules, 'vitest'));
  // Copied: what it imports is looked for where it really is.
  cpSync(join(installed, 'chat-conformance'), join(modules, 'chat-conformance'), { recursive: true });
  const present = new Set([...readdirSync(modules), '.bin', '.package-lock.json']);
  for (const name of readdirSync(installed).filter((each) => !present.has(each)))
    symlinkSync(join(installed, name), join(modules, name));
  return folder;
}
