import { CommanderError } from 'commander';
import { printable, safeLines } from '../../../suites/engine/text/printable.ts';
import { FileError, errorCode } from '../../../suites/engine/text/read-json-file.ts';

/** What the command answers. All that is printed passes this file: whatever stands in it, it commands neither a terminal nor a job. */
export function writeLine(text: string): void {
  process.stdout.write(`${safeLines(text)}\n`);
}

/** What the command says beside its answer: progress, warnings, errors. */
export function noteLine(text: string): void {
  process.stderr.write(`${safeLines(text)}\n`);
}

/** Heads both the answer and what is said beside it: once, where a terminal shows them together. */
export function writeHeading(text: string): void {
  if (!process.stdout.isTTY || !process.stderr.isTTY) noteLine(text);
  writeLine(text);
}

/** Prints workflow commands of ours, which begin with `::`; what stands in them commands nothing. */
export function writeCommands(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`::${safeLines(line.replace(/^::/, ''))}\n`);
}

/** What the exit code of a process says. */
export const EXIT = {
  conformant: 0,
  violations: 1,
  usage: 2,
  incomplete: 3,
  unreachable: 4,
  interrupted: 130,
} as const;

/**
 * What the user asked for cannot be done as asked: one line for them, and exit code 2. Whatever reads an option, a variable or a
 * file may throw it, or a FileError.
 */
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

/** What is wrong with what the user asked for, also as the mock says it; undefined for an error of another kind. */
function wrongUsage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UsageError || error instanceof FileError || error.name === 'InputError')
    return error.message;
  const { syscall, address, port, code }: NodeJS.ErrnoException & { address?: string; port?: number } = error;
  if (syscall === 'listen') {
    const place = port === undefined ? address : `${address}:${port}`;
    const way = code === 'EADDRINUSE' ? ': --port 0 takes a free one' : '';
    return `cannot listen on ${place} (${errorCode(error)})${way}`;
  }
  return syscall === 'getaddrinfo' ? error.message : undefined;
}

const WHOSE =
  'This is an error of chat-conformance, or of a module that it loaded, not of your client or service.';

/** Says what ended the command, unless it was said already; returns the exit code. */
export function commandFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.usage;
  const wrong = wrongUsage(error);
  // A bug of ours says nothing about the target, so the code is neither 0 nor 1.
  noteLine(
    wrong === undefined
      ? `internal error: ${error instanceof Error ? error.stack : String(error)}\n${WHOSE}`
      : `error: ${printable(wrong, Infinity)}`,
  );
  return wrong === undefined ? EXIT.incomplete : EXIT.usage;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Takes over Ctrl-C while something works: the first one aborts its signal, and says or does what `onFirst` is; the second
 * one ends the process.
 */
export async function interruptible<T>(
  onFirst: string | ((name: NodeJS.Signals) => void),
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
    if (typeof onFirst === 'string') noteLine(`\n${onFirst}; press Ctrl-C again to stop immediately.`);
    else onFirst(name);
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}

/** Goes on when output cannot be written: a reader that has seen enough, as in `list | head`, is no failure. */
export function tolerateLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
