import { CommanderError } from 'commander';
import { FileError } from '../../../suites/kit/files/read-json-file.ts';
import { EXIT } from './exit.ts';
import { UsageError } from './usage-error.ts';
import { noteLine } from './write-line.ts';

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
