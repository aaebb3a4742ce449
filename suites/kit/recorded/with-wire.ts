import { surveyEntry } from '../journal/recorded-survey.ts';
import { runEntry } from '../journal/run-entry.ts';
import type { RunOptions } from '../model/run.ts';
import { asError } from '../running/as-error.ts';
import { Wire } from '../sending/wire.ts';
import type { Survey } from '../model/target-info.ts';

/** Opens a wire for what is sent again, with a journal like that of any run, and closes both. */
export async function withWire<T>(
  options: RunOptions,
  survey: Survey,
  send: (wire: Wire) => Promise<T>,
): Promise<T> {
  const { journal } = options;
  const startedAt = new Date();
  const wire = new Wire(options);
  const finish = (cutShort: readonly string[]): void =>
    journal?.append({ type: 'finished', durationMs: Date.now() - startedAt.getTime(), cutShort });
  try {
    journal?.append(runEntry(options, startedAt.toISOString()));
    journal?.append(surveyEntry(survey));
    const result = await send(wire);
    finish([]);
    return result;
  } catch (error) {
    finish([asError(error).message]);
    throw error;
  } finally {
    await wire.close();
  }
}
