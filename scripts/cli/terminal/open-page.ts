import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { noteLine } from './output.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file or an address with the program that the desktop has for it. */
export function openPage(place: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, /^https?:/.test(place) ? place : resolve(place)], {
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => noteLine(`cannot open ${place}: ${program} does not start`));
  child.unref();
}
