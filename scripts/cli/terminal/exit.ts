import { CommanderError } from 'commander';
import { FileError } from '../../../suites/kit/files/read-json-file.ts';
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
}

/** Commander's complaint on one line, without the value of an unknown option: it may be a secret. */
export function complaintLine(text: string): string {
  const line = text.replace(/(unknown option '[^'=]*)=.*'/, "$1'");
  return line.trim().replaceAll(/\s*\n\s*/g, ' ');
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
