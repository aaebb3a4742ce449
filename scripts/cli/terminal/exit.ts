import { CommanderError } from 'commander';
import { printable } from '../../../suites/engine/text/printable.ts';
import { FileError, errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { noteLine } from './output.ts';

/** What the exit code of a process says. */
export const EXIT = {
  conformant: 0,
  violations: 1,
  usage: 2,
  incomplete: 3,
  unreachable: 4,
  interrupted: 130,
} as const;

/** What the user asked for cannot be done as asked: one line for them, and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(message: string, options?: ErrorOptions) {
    super(printable(message, Infinity), options);
  }
}

/** Commander's complaint on one line, without the value of an unknown option: it may be a secret. */
export function complaintLine(text: string): string {
  const line = text.replace(/(unknown option '[^'=]*)=.*'/, "$1'");
  const lines = line.split('\n').map((each) => each.trim());
  return lines.filter((each) => each !== '').join(' ');
}

/** Says what ended the command, unless it was said already; returns the exit code. */
export function commandFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.usage;
  if (error instanceof UsageError || error instanceof FileError) {
    noteLine(`error: ${error.message}`);
    return EXIT.usage;
  }
  // A bug of ours says nothing about the target, so the code is neither 0 nor 1.
  noteLine(`internal error: ${error instanceof Error ? error.stack : String(error)}`);
  return EXIT.incomplete;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Takes over Ctrl-C until it is released: the first one aborts `signal`, and `onFirst` may say what happens now; the second
 * one ends the process.
 */
export function interruptible(onFirst: (name: NodeJS.Signals) => void): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
    onFirst(name);
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  const release = (): void => {
    for (const name of SIGNALS) process.off(name, interrupt);
  };
  return { signal: controller.signal, release };
}

/**
 * Goes on when output cannot be written. A reader that has seen enough, as in `list | head`, is no failure: what is left
 * is written to nobody. If the answer is lost in another way, as on a full disk, a line says so, and the command has not
 * succeeded.
 */
export function tolerateLostOutput(): void {
  let isSaid = false;
  // oxlint-disable-next-line eslint/no-restricted-properties -- writes nothing
  process.stdout.on('error', (error) => {
    if (isSaid || errorCode(error) === 'EPIPE') return;
    isSaid = true;
    noteLine(`error: cannot write to standard output (${errorCode(error)})`);
    process.once('exit', (code) => {
      if (code === EXIT.conformant) process.exitCode = EXIT.usage;
    });
  });
  // oxlint-disable-next-line eslint/no-restricted-properties -- there is nowhere to say it
  process.stderr.on('error', () => {});
}
