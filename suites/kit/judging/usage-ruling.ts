import type { UsageReading } from '../reading/completions/find-usage.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../model/ruling.ts';

/** Where usage is to be, and the open point that a profile pins where its names are foreseen by nobody. */
interface Place {
  readonly expected: string;
  readonly pin: 'response.usage' | 'stream.usage';
}

/** Judges usage, under whatever names (RES-4): some number reports it, and none counts fewer tokens than there can be. */
export function judgeUsage(usage: UsageReading, { expected, pin }: Place): Ruling {
  if (usage === 'absent') return violated('no-usage', expected, 'no number that can report it');
  if (usage === 'unrecognised')
    return notExercised(
      'numbers that may report usage, under names nobody foresaw',
      `pin "${pin}" in a profile`,
    );
  const { negative } = usage;
  return negative === undefined
    ? HOLDS
    : violated('negative-usage', 'no count of tokens below 0', String(negative.value), negative.pointer);
}
