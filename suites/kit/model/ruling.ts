/** What a judgement found wrong. `code` and `path` together identify a failure while shrinking. */
export interface Finding {
  /** A word of ours, e.g. `accepted`, `no-request-id`. */
  readonly code: string;
  /** JSON pointer (or header name) of the place in the answer, when there is one. */
  readonly path?: string;
  /** Which of the trial's exchanges shows it; the first one unless said otherwise. */
  readonly exchange?: number;
  readonly expected: string;
  readonly actual: string;
}

/** What the target did at a point the specification leaves open. */
export interface Observation {
  /** A name from `OPEN_POINTS`. */
  readonly point: string;
  /** As JSON text. */
  readonly value: unknown;
}

/** The result of judging one trial. */
export type Ruling =
  | { readonly kind: 'holds' }
  | { readonly kind: 'violated'; readonly finding: Finding }
  | { readonly kind: 'observed'; readonly observations: readonly Observation[] }
  /** The trial does not exercise the clause, or the answer cannot be recognised; `hint` says how to change that. */
  | { readonly kind: 'not-exercised'; readonly reason: string; readonly hint?: string }
  /** The answer decides nothing about the clause. */
  | { readonly kind: 'inconclusive'; readonly reason: string };

export const HOLDS: Ruling = { kind: 'holds' };

export function violated(code: string, expected: string, actual: string, path?: string): Ruling {
  return { kind: 'violated', finding: { code, expected, actual, ...(path !== undefined && { path }) } };
}

export function observed(...observations: Observation[]): Ruling {
  return { kind: 'observed', observations };
}

export function notExercised(reason: string, hint?: string): Ruling {
  return { kind: 'not-exercised', reason, ...(hint !== undefined && { hint }) };
}

export function inconclusive(reason: string): Ruling {
  return { kind: 'inconclusive', reason };
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
