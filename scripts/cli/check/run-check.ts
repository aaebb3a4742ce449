import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { isSecretVariable } from '../../../fixtures/credentials/secret-names.ts';
import { journalOn } from '../../../suites/engine/journal/write-journal.ts';
import type { Keys, RunOptions } from '../../../suites/engine/model/run.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { runSuites } from '../../../suites/engine/running/run-suites.ts';
import { redactorOf } from '../../../suites/engine/text/redact.ts';
import { JOURNAL, openJournal } from '../reports/report-folder.ts';
import { ownModule } from '../terminal/own-package.ts';
import type { CheckOptions } from './check-options.ts';

/** How a run shows its progress, and how it can be ended. */
type Watch = Pick<RunOptions, 'signal' | 'onProgress' | 'onFirstFailure' | 'onSentAgain' | 'onWait'>;

type Where = Pick<RunOptions, 'target' | 'control'>;

async function runAgainst(where: Where, options: CheckOptions, watch: Watch): Promise<Summary> {
  const file = options.report === undefined ? undefined : join(options.report, JOURNAL);
  const fd = file === undefined ? undefined : openJournal(file);
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

/**
 * Starts the mock in a thread of its own, which ends with this process, and returns once it has said that it is ready. Its
 * control URL wants no token.
 */
async function startEmbeddedMock(seed: number) {
  // It has no use for the keys of a target, and would want its control token too.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSecretVariable(name)));
  const argv = ['mock', '--port', '0', '--seed', String(seed), '--control'];
  const worker = new Worker(ownModule('chat-conformance'), { argv, env, stdout: true, stderr: true });
  const { value: line } = await createInterface(worker.stdout)[Symbol.asyncIterator]().next();
  if (line === undefined) throw new Error(`the mock is not ready: ${await text(worker.stderr)}`);
  const { url, keys, control }: { url: string; keys: Keys; control: string } = JSON.parse(line);
  return { baseUrl: url, keys, control, stop: () => worker.terminate() };
}
