import { readFileSync } from 'node:fs';
import type { DriverRecord } from '../../suites/caller/timeline.ts';
import { isJsonObject } from '../../suites/kit/reading/json.ts';

const OUTCOMES = ['served', 'refused', 'uncertain'] as const;

/** What a driver wrote down. */
export interface RecordReading {
  /** Undefined: it wrote nothing at all. */
  readonly records: readonly DriverRecord[] | undefined;
  /** What is wrong with the first line that is no record; undefined: all of them are. */
  readonly problem?: string;
}

function recordOf(value: unknown): DriverRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { wish, idempotencyKey } = value;
  const outcome = OUTCOMES.find((word) => word === value['outcome']);
  if (typeof wish !== 'string' || outcome === undefined) return undefined;
  return { wish, outcome, ...(typeof idempotencyKey === 'string' && { idempotencyKey }) };
}

function parsed(line: string): DriverRecord | undefined {
  try {
    return recordOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Reads the lines of a `CHAT_RECORD` file, each an object with `wish`, `outcome` and, where there was one, `idempotencyKey`. */
export function readRecords(file: string): RecordReading {
  const lines = textOf(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) return { records: undefined };
  const records = lines.map(parsed);
  const wrong = records.indexOf(undefined);
  const good = records.filter((record) => record !== undefined);
  if (wrong === -1) return { records: good };
  return { records: good, problem: `line ${wrong + 1} of CHAT_RECORD is no record` };
}
