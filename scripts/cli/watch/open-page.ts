import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { noteLine } from '../terminal/output.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file with the program that the desktop has for it. */
export function openPage(file: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, resolve(file)], { detached: true, stdio: 'ignore' });
  child.on('error', () => noteLine(`cannot open ${file}: ${program} does not start`));
  child.unref();
}
