import { errorCode } from '../../../suites/kit/files/read-json-file.ts';
import { EXIT } from './exit.ts';
import { noteLine } from './output.ts';

/**
 * Goes on when output cannot be written. A reader that has seen enough, as in `list | head`, is no failure: what is left
 * is written to nobody. If the answer is lost in another way, as on a full disk, a line says so, and the command has not
 * succeeded.
 */
export function tolerateLostOutput(): void {
  process.stdout.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') failOnce(error);
  });
  // There is nowhere to say it.
  process.stderr.on('error', () => {});
}

let hasFailed = false;

function failOnce(error: Error): void {
  if (hasFailed) return;
  hasFailed = true;
  noteLine(`error: cannot write to standard output (${errorCode(error)})`);
  process.once('exit', (code) => {
    if (code === EXIT.conformant) process.exitCode = EXIT.usage;
  });
}
