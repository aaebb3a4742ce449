import { HOLDS, notExercised, type Ruling, violated } from '../../model/ruling.ts';
import type { UsageReading } from '../../reading/completions/find-usage.ts';

/** Where usage is expected, and the open point to pin when its name is unknown. */
interface Place {
  readonly expected: string;
  readonly pin: 'response.usage' | 'stream.usage';
}

/** Judges usage under any name (RES-4): some number reports it, and no token count is negative. */
export function judgeUsage(usage: UsageReading, { expected, pin }: Place): Ruling {
  if (usage === 'absent') return violated('no-usage', expected, 'no number that could be a token count');
  if (usage === 'unrecognised')
    return notExercised('numbers under unknown names may be the usage', `pin "${pin}" in a profile`);
  const { negative } = usage;
  return negative === undefined
    ? HOLDS
    : violated('negative-usage', 'token counts of 0 or more', String(negative.value), negative.pointer);
}
