import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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

function newProject(manifest: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-package-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...manifest }));
  return folder;
}

/** A new project with these releases, to which npm adds the package, as its user would; returns its folder. */
export async function installedProject(
  tarball: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = newProject({ dependencies });
  await run('npm', [...INSTALL.split(' '), tarball], { cwd: folder });
  return folder;
}

/** A new project with the package of that one, beside what this repository has installed, which takes no time; returns its folder. */
export function linkedProject(installed: string): string {
  const folder = newProject({});
  const [own, theirs] = [join(folder, 'node_modules'), join(ROOT, 'node_modules')];
  cpSync(join(installed, 'node_modules', 'chat-conformance'), join(own, 'chat-conformance'), {
    recursive: true,
  });
  for (const name of readdirSync(theirs)) symlinkSync(join(theirs, name), join(own, name));
  symlinkSync(join(theirs, 'tested-client'), join(own, 'openai'));
  return folder;
}
