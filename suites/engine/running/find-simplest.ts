import type { Draw } from '../inputs/draws.ts';
import { inconclusive, isSameFailure, type Ruling } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import { requestsOf } from '../model/stimulus.ts';
import { judgeDraw, type Sending } from './judge-draw.ts';
import type { FailedDraw } from './lane.ts';
import type { SuiteRun } from './suite-run.ts';

/** The most that the search for simpler failures sends in a run, and draws for one of them. */
const SEARCH_LIMITS = {
  mock: { attempts: 200, requests: 20_000 },
  live: { attempts: 20, requests: 100 },
} as const satisfies Record<RunOptions['target']['kind'], { attempts: number; requests: number }>;

/** A draw on which a check fails. */
type Failing = Pick<FailedDraw, 'draw' | 'finding'>;

/** Looks for the simplest failure of each check, one after the other, each with an equal share of what may be sent; not of a known one. */
export async function findSimplest(
  run: SuiteRun,
  { target, known }: Pick<RunOptions, 'target' | 'known'>,
  sending: Sending,
): Promise<void> {
  const { attempts, requests } = SEARCH_LIMITS[target.kind];
  // Counterparts are counted although they may have been sent before.
  const costOf = (draw: Draw): number => requestsOf(draw.cost(sending.info));
  const searches = run.lanes.flatMap((lane) =>
    lane.failed.map((check) => ({ check, sent: lane.sent, failures: lane.failuresOf(check) })),
  );
  const unknown = searches.filter(
    ({ check, failures }) => !failures.slice(0, 1).some(({ finding }) => known?.lists(check.id, finding)),
  );
  for (const { check, sent, failures } of unknown) {
    const [first] = failures;
    if (run.isOver || first === undefined) return;
    const { id: trial } = first.entry;
    const placed = (attempt: number | 'known') => ({
      id: `${trial}~${check.id}~${attempt}`,
      nth: run.nextPlace(),
      simplifies: { check: check.id, trial },
    });
    const texts: SearchLimits['known'] = new Map([
      // They are made only now that something has failed.
      ...sent.map((draw) => [draw.text(), undefined] as const),
      ...failures.map((failure) => [failure.draw.text(), failure] as const),
    ]);
    const share = Math.floor(requests / unknown.length);
    const limits = { attempts, requests: share, costOf, known: texts };
    const simplest = await shrink(first, limits, async (draw, attempt) => {
      const { entry } = await judgeDraw(draw, [check], sending, placed(attempt));
      const ruling = entry.rulings[check.id];
      const isJudged = entry.missing === undefined && ruling !== undefined && !(ruling instanceof Error);
      return isJudged ? ruling : inconclusive('it could not be judged');
      // A failure that we cannot make simpler is a failure all the same.
    }).catch(() => first);
    // The simplest form may be one that the run had met before it was looked for.
    const met = failures.find((failure) => failure === simplest && failure !== first);
    if (met !== undefined) sending.journal.append({ ...met.entry, ...placed('known') });
  }
}

/** What a search may spend, and what it already knows. */
interface SearchLimits {
  /** How many draws it may send. */
  readonly attempts: number;
  /** How many requests these may take. */
  readonly requests: number;
  readonly costOf: (draw: Draw) => number;
  /** The texts of the draws that this run has sent, each with its failure where it had one. */
  readonly known: ReadonlyMap<string, Failing | undefined>;
}

/**
 * Looks for the simplest input that fails in the same way. Sends at most `attempts` more draws, never two of
 * equal text and none that this run has sent before, and stops at the first one that could not be judged, since that may have cost something.
 */
export async function shrink(
  failure: Failing,
  { attempts, requests, costOf, known }: SearchLimits,
  retry: (draw: Draw, attempt: number) => Promise<Ruling>,
): Promise<Failing> {
  const tried = new Set([failure.draw.text()]);
  let left = requests;
  let simplest = failure;
  let candidates = failure.draw.simpler()[Symbol.iterator]();
  for (let attempt = 1; attempt <= attempts;) {
    const { value: draw } = candidates.next();
    if (draw === undefined) return simplest;
    const text = draw.text();
    if (tried.has(text)) continue;
    tried.add(text);
    let failing = known.get(text);
    if (!known.has(text)) {
      left -= costOf(draw);
      if (left < 0) return simplest;
      const ruling = await retry(draw, attempt++);
      if (ruling.kind === 'inconclusive') return simplest;
      if (ruling.kind === 'violated') failing = { finding: ruling.finding, draw };
    }
    if (failing === undefined || !isSameFailure(failing.finding, failure.finding)) continue;
    simplest = failing;
    candidates = draw.simpler()[Symbol.iterator]();
  }
  return simplest;
}
