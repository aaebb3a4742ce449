import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** What the command answers. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What the command says beside its answer: progress, warnings, errors. */
export function noteLine(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A word as a POSIX shell reads it back. */
export function quoted(word: string): string {
  return /^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

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
