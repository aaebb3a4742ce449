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
export const INSTALL =
  'install --prefer-offline --ignore-scripts --no-audit --no-fund --fetch-retries=3 --fetch-timeout=20000 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=1000';

/**
 * A new project that uses these releases, to which npm adds the package, as its user would. Its lockfile has settled the
 * release of `openai`, where its manifest allows later ones.
 */
export async function projectWith(
  tarball: string,
  { openai, ...others }: Readonly<Record<string, string>> & { readonly openai: string },
): Promise<{ readonly folder: string; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-package-'));
  const dependencies = { openai: `^${openai}`, ...others };
  const packages = { '': { dependencies }, 'node_modules/openai': { version: openai } };
  const files = {
    'package.json': { private: true, type: 'module', dependencies },
    'package-lock.json': { lockfileVersion: 3, requires: true, packages },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
  await run('npm', [...INSTALL.split(' '), tarball], { cwd: folder });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
