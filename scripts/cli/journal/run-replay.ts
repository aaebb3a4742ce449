import type { Recording } from '../../../suites/kit/journal/read-journal.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import { startEmbeddedMock } from '../mock/embedded-mock.ts';
import { keepJournal } from './keep-journal.ts';
import type { ReplayOptions } from './replay-options.ts';

/** Sends what a recording holds again with `send`. The mock, when that is the destination, starts anew. */
export async function runReplay<T>(
  { destination, headers, options, journal }: ReplayOptions,
  { run }: Recording,
  send: (options: RunOptions) => Promise<T>,
): Promise<T> {
  const { profile } = run.target;
  const rest = { ...options, checks: [], invariants: [] };
  if (destination.kind === 'mock') {
    const { baseUrl, keys, control, stop } = await startEmbeddedMock(run.seed);
    const target = { kind: 'mock', baseUrl, keys, headers, profile } as const;
    try {
      return await send({ ...rest, target, control: { url: control } });
    } finally {
      await stop();
    }
  }
  const { control, ...where } = destination;
  const whole = {
    ...rest,
    target: { ...where, headers, profile },
    ...(control !== undefined && { control }),
  };
  if (journal === undefined) return send(whole);
  const kept = await keepJournal(journal, whole);
  return send({ ...whole, journal: kept.journal }).finally(kept.close);
}
