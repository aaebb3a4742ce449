import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INSTALL } from '../package/packed.ts';

/** The releases that the table in `docs/software.md` tells of. */
const RELEASES = { '@portkey-ai/gateway': '1.15.2', '@copilotkit/aimock': '1.43.0' };

let folder: string | undefined;

/** npm could not install the packages, and said this. */
export class NotInstalled extends Error {}

/**
 * The folder of an installed package. The first call installs them all.
 * @throws {NotInstalled}
 */
export function releaseOf(name: string): string {
  folder ??= install();
  return join(folder, 'node_modules', name);
}

function install(): string {
  const made = mkdtempSync(join(tmpdir(), 'software-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  writeFileSync(join(made, 'package.json'), JSON.stringify({ private: true, dependencies: RELEASES }));
  const { status, stderr } = spawnSync('npm', INSTALL.split(' '), { cwd: made, encoding: 'utf8' });
  if (status === 0) return made;
  throw new NotInstalled(`npm cannot install ${Object.keys(RELEASES).join(' and ')}: ${stderr}`);
}
