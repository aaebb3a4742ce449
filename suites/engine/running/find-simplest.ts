import type { Draw } from '../inputs/draws.ts';
import type { TrialRecord } from '../journal/write-journal.ts';
import type { Check } from '../model/check.ts';
import type { Simplification } from '../model/journal.ts';
import { inconclusive, type Ruling, type Finding } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import { requestsOf, type Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import type { Wire } from '../sending/wire.ts';
import type { Failure } from '../summary/tally.ts';
import { judgeDraw } from './judge-draw.ts';
import type { SuiteRun } from './suite-run.ts';

/** The most that the search for simpler failures sends in a run, and draws for one of them. */
const SEARCH_LIMITS = {
  mock: { attempts: 200, requests: 20_000 },
  live: { attempts: 20, requests: 100 },
} as const satisfies Record<RunOptions['target']['kind'], { attempts: number; requests: number }>;

/** Looks for the simplest failure of each check, one after the other, each with an equal share of what may be sent; not of a known one. */
export async function findSimplest(
  run: SuiteRun,
  { target, known }: Pick<RunOptions, 'target' | 'known'>,
  wire: Wire,
  info: TargetInfo,
): Promise<void> {
  const failed = [...run.tallies].flatMap(([check, tally]) => {
    const [failure] = tally.failures;
    if (failure === undefined || known?.lists(check.id, failure.finding) === true) return [];
    return [{ check, tally, failure }];
  });
  const { attempts, requests } = SEARCH_LIMITS[target.kind];
  for (const { check, tally, failure } of failed) {
    if (run.isOver) return;
    const before = knownDraws(run.sentOf(check.given), tally.failures);
    const afford = spender(Math.floor(requests / failed.length), info);
    const search = new Search(check, failure, run.trials);
    // A failure that we cannot make simpler is a failure all the same.
    const simplest = await shrink(failure, { attempts, afford, known: before }, (draw, attempt) =>
      search.retry(draw, attempt, wire, info),
    ).catch(() => failure);
    search.end(simplest);
    const { input: original } = failure.trial;
    if (simplest !== failure)
      tally.failures[0] = { ...simplest, ...(original !== undefined && { original }) };
  }
}

/** The search for the simplest form of one failure, journalled as it proceeds. */
class Search {
  readonly #check: Check;
  readonly #simplifies: Simplification;
  readonly #trials: TrialRecord;
  /** The trials that are already in the journal. */
  readonly #written: Set<Trial>;

  constructor(check: Check, { draw, trial }: Failure, trials: TrialRecord) {
    this.#check = check;
    this.#simplifies = { check: check.id, trial: draw?.id ?? '' };
    this.#trials = trials;
    this.#written = new Set([trial]);
  }

  /** Judges a simpler draw with the failed check; a draw that cannot be judged ends the branch. */
  async retry(
    draw: Draw,
    attempt: number,
    wire: Wire,
    info: TargetInfo,
  ): Promise<{ readonly trial: Trial; readonly ruling: Ruling }> {
    const judged = await judgeDraw(draw, [this.#check], wire, info, { id: this.#id(attempt) });
    this.#trials.add(judged, this.#simplifies);
    this.#written.add(judged.trial);
    const [ruling] = judged.rulings.map(([, each]) => each);
    const isJudged = judged.missing === undefined && ruling !== undefined && !(ruling instanceof Error);
    return { trial: judged.trial, ruling: isJudged ? ruling : inconclusive('it could not be judged') };
  }

  /** The simplest form may be one that the run had met before it was looked for. */
  end({ finding, trial }: Failure): void {
    if (this.#written.has(trial)) return;
    const rulings = [[this.#check, { kind: 'violated', finding }]] as const;
    const { name: stimulus } = this.#check.given;
    this.#trials.add({ id: this.#id('known'), stimulus, trial, rulings }, this.#simplifies);
  }

  #id(attempt: number | 'known'): string {
    const { trial, check } = this.#simplifies;
    return `${trial}~${check}~${attempt}`;
  }
}

/** By their texts, which are made only now that something has failed. */
function knownDraws(
  sent: readonly Draw[],
  failures: readonly Failure[],
): ReadonlyMap<string, Failure | undefined> {
  const known = new Map<string, Failure | undefined>(sent.map((draw) => [draw.text(), undefined]));
  for (const failure of failures) if (failure.draw !== undefined) known.set(failure.draw.text(), failure);
  return known;
}

/** Spends so many requests on draws, counterparts included although they may have been sent before. */
function spender(requests: number, info: TargetInfo): SearchLimits['afford'] {
  let left = requests;
  return (draw) => {
    const cost = requestsOf(draw.cost(info));
    if (cost > left) return false;
    left -= cost;
    return true;
  };
}

/** Sends a draw and judges it as the failed check does. */
type Retry = (draw: Draw, attempt: number) => Promise<{ readonly trial: Trial; readonly ruling: Ruling }>;

/** What a search may spend, and what it already knows. */
export interface SearchLimits {
  /** How many draws it may send. */
  readonly attempts: number;
  /** Whether it may send one more. */
  readonly afford: (draw: Draw) => boolean;
  /** The texts of the draws that this run has sent, each with its failure where it had one. */
  readonly known: ReadonlyMap<string, Failure | undefined>;
}

/** Identifies a failure: only steps that fail in the same way are followed. */
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
