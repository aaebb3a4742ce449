import type { Draw } from '../drawing/draw.ts';
import type { Finding, Ruling } from '../model/ruling.ts';
import type { Failure } from '../model/tally.ts';
import type { Trial } from '../model/trial.ts';

/** Sends a draw and judges it as the failed check does. */
type Retry = (draw: Draw, attempt: number) => Promise<{ readonly trial: Trial; readonly ruling: Ruling }>;

/** What a search may spend, and what it need not find out again. */
export interface SearchLimits {
  /** How many draws it may send. */
  readonly attempts: number;
  /** Whether one more can be paid for. */
  readonly afford: (draw: Draw) => boolean;
  /** The texts of the draws that this run has sent, each with its failure where it had one. */
  readonly known: ReadonlyMap<string, Failure | undefined>;
}

/** Tells one failure from another: only steps that fail in the same way lead on. */
export function isSameFailure(a: Finding, b: Finding): boolean {
  return a.code === b.code && a.path === b.path;
}

/**
 * Looks for the simplest input that fails in the same way. Sends at most `attempts` more draws, never two of
 * equal text and none that this run has sent before, and stops at the first one that could not be judged, since that may have cost something.
 */
export async function shrink(
  failure: Failure,
  { attempts, afford, known }: SearchLimits,
  retry: Retry,
): Promise<Failure> {
  if (failure.draw === undefined) return failure;
  const tried = new Set([failure.draw.text()]);
  let simplest: Failure = failure;
  let candidates = failure.draw.simpler()[Symbol.iterator]();
  for (let attempt = 1; attempt <= attempts;) {
    const next = candidates.next();
    if (next.done === true) return simplest;
    const draw = next.value;
    if (tried.has(draw.text())) continue;
    tried.add(draw.text());
    const before = known.get(draw.text());
    if (before !== undefined && isSameFailure(before.finding, failure.finding)) {
      simplest = before;
      candidates = draw.simpler()[Symbol.iterator]();
    }
    if (known.has(draw.text())) continue;
    if (!afford(draw)) return simplest;
    const { trial, ruling } = await retry(draw, attempt);
    attempt += 1;
    if (ruling.kind === 'inconclusive') return simplest;
    if (ruling.kind !== 'violated' || !isSameFailure(ruling.finding, failure.finding)) continue;
    simplest = { finding: ruling.finding, trial, draw };
    candidates = draw.simpler()[Symbol.iterator]();
  }
  return simplest;
}
