import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lastStep } from './recipe.ts';

const [USER = 0, GROUP = 0] = (lastStep('USER').words[0] ?? '').split(':').map(Number);
const [FOLDER = '/'] = lastStep('WORKDIR').words;
const CHROOT = ['/usr/sbin/chroot', '/usr/bin/chroot', '/sbin/chroot'].find((path) => existsSync(path));
const AS_ROOT = process.getuid?.() === 0;

/** A way to start a command of the image, with no more variables than the image or its user sets. */
export type Start = (
  root: string,
  command: readonly string[],
  env?: Readonly<Record<string, string>>,
) => ChildProcess;

const STDIO = ['ignore', 'pipe', 'pipe'] as const;

/** In the files of the image, which are all that the process can see. Node's own folder is the only one with a program. */
export const inBareRoot: Start = (root, command, env = {}) => {
  const args = [`--userspec=${USER}:${GROUP}`, root, ...command];
  return spawn(CHROOT ?? 'chroot', args, { env, stdio: [...STDIO] });
};

/** With the files of the image, and those of this machine beside them; as the image's user where that is possible. */
export const besideThisMachine: Start = (root, command, env = {}) => {
  const [file = '', ...args] = command.map((word) =>
    /^\/(?:nodejs|app|work)\//.test(word) ? join(root, word) : word,
  );
  const cwd = join(root, FOLDER);
  return spawn(file, args, { cwd, env, stdio: [...STDIO], ...(AS_ROOT && { uid: USER, gid: GROUP }) });
};

/** Why no command can be started in the bare root here, if none can. */
export function noBareRoot(root: string): string | undefined {
  if (process.platform !== 'linux') return `chroot is not tried on ${process.platform}`;
  if (!AS_ROOT) return 'only root may change the root folder of a process';
  if (CHROOT === undefined) return 'this machine has no chroot';
  const args = [`--userspec=${USER}:${GROUP}`, root, '/nodejs/bin/node', '--version'];
  const { status, stderr } = spawnSync(CHROOT, args, { env: {}, encoding: 'utf8' });
  return status === 0 ? undefined : `chroot failed: ${stderr.trim()}`;
}
