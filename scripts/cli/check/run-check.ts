import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { journalOn } from '../../../suites/engine/journal/write-journal.ts';
import type { RunOptions } from '../../../suites/engine/model/run.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { runSuites } from '../../../suites/engine/running/run-suites.ts';
import { redactorOf } from '../../../suites/engine/text/redact.ts';
import { JOURNAL, openAfresh } from '../journal/journal-file.ts';
import { startEmbeddedMock } from '../mock/embedded-mock.ts';
import type { CheckOptions } from './check-options.ts';

/** How a run shows its progress, and how it can be ended. */
type Watch = Pick<RunOptions, 'signal' | 'onProgress' | 'onFirstFailure' | 'onSentAgain' | 'onWait'>;

type Where = Pick<RunOptions, 'target' | 'control'>;

async function runAgainst(where: Where, options: CheckOptions, watch: Watch): Promise<Summary> {
  const file = options.report === undefined ? undefined : join(options.report, JOURNAL);
  const fd = file === undefined ? undefined : openAfresh(file);
  const isDurable = where.target.kind === 'live';
  try {
    return await runSuites({
      ...options.run,
      ...watch,
      ...where,
      ...(file !== undefined && fd !== undefined && { journal: journalOn(fd, { file, isDurable }) }),
    });
  } catch (error) {
    // The text of any error may quote a key or the token.
    throw reworded(error, redactorOf(where.target, where.control?.token).text);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The same error, in words that may be shown. */
export function reworded(error: unknown, shown: (text: string) => string): unknown {
  if (!(error instanceof Error)) return error;
  error.message = shown(error.message);
  if (error.stack !== undefined) error.stack = shown(error.stack);
  return error;
}

/** Runs the checks, with the bundled mock if it is the target. Throws TargetUnreachable or KeyRefused. */
export async function runCheck(options: CheckOptions, watch: Watch = {}): Promise<Summary> {
  const { target, control } = options;
  if (target.kind === 'live') return runAgainst({ target, control }, options, watch);
  const mock = await startEmbeddedMock(options.run.seed);
  const { baseUrl, keys } = mock;
  try {
    const where = { target: { ...target, baseUrl, keys }, control: { url: mock.control } };
    return await runAgainst(where, options, watch);
  } finally {
    await mock.stop();
  }
}
