import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { safeLines } from '../../../suites/engine/text/printable.ts';

/** What the command answers. All that is printed passes this file: whatever stands in it, it commands neither a terminal nor a job. */
export function writeLine(text: string): void {
  process.stdout.write(`${safeLines(text)}\n`);
}

/** What the command says beside its answer: progress, warnings, errors. */
export function noteLine(text: string): void {
  process.stderr.write(`${safeLines(text)}\n`);
}

/** Prints workflow commands of ours, which begin with `::`; what stands in them commands nothing. */
export function writeCommands(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`::${safeLines(line.replace(/^::/, ''))}\n`);
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
