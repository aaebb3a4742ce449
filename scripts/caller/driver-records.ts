import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { DriverRecord } from '../../suites/caller/timeline.ts';
import { parseJson } from '../../suites/engine/reading/json.ts';

/** What a driver wrote to `CHAT_RECORD`. */
export interface RecordReading {
  /** Undefined: nothing at all. */
  readonly records: readonly DriverRecord[] | undefined;
  /** Names the first line that is not a record; undefined: every line is one. */
  readonly problem: string | undefined;
}

const recordSchema: z.ZodType<DriverRecord> = z.object({
  wish: z.string(),
  idempotencyKey: z.string().optional().catch(undefined),
  outcome: z.enum(['served', 'refused', 'uncertain']),
});

/** Reads a `CHAT_RECORD` file: each line is an object with `wish`, `outcome` and, if there was one, `idempotencyKey`. */
export function readRecords(file: string): RecordReading {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const records = lines.map((line) => {
    const reading = parseJson(Buffer.from(line));
    return recordSchema.safeParse(reading.kind === 'json' ? reading.value : undefined).data;
  });
  const wrong = records.indexOf(undefined);
  return {
    records: lines.length === 0 ? undefined : records.filter((record) => record !== undefined),
    problem: wrong === -1 ? undefined : `line ${wrong + 1} of CHAT_RECORD is not a record`,
  };
}
