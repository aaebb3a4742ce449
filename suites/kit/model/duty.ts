import type { Ruling } from './ruling.ts';

/**
 * Which duties of its clauses a check decides: one, or for each whether a trial bears on it. Absent: those of clauses
 * without named duties; elsewhere it finds violations, and its pass proves nothing.
 */
export type Decides<T> = string | Readonly<Record<string, (trial: T) => boolean>>;

/** The same without its functions: a text, or a list where it depends on the trial. */
export type DecidedDuties = string | readonly string[];

export function decidedDuties(decides: Decides<never> | DecidedDuties): DecidedDuties {
  if (typeof decides === 'string' || isList(decides)) return decides;
  return Object.keys(decides);
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

/**
 * The ruling on a trial, with the duties that it bears on where these depend on the trial. A doubt that bears on none in
 * particular bears on all.
 */
export function withDuties<T>(ruling: Ruling, decides: Decides<T> | undefined, trial: T): Ruling {
  if (decides === undefined || typeof decides === 'string') return ruling;
  const duties = Object.entries(decides).flatMap(([duty, bears]) => (bears(trial) ? duty : []));
  const isDoubt = ruling.kind === 'inconclusive' && duties.length === 0;
  return { ...ruling, duties: isDoubt ? Object.keys(decides) : duties };
}
