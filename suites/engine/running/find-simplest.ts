import type { Draw } from '../inputs/draws.ts';
import { inconclusive, isSameFailure, type Ruling } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import { judgeDraw, type Sending } from './judge-trial.ts';
import type { FailedDraw } from './lane.ts';
import type { SuiteRun } from './suite-run.ts';

/** The most draws that the search for the simplest form of one failure sends, and requests that all searches of a run send. */
const SEARCH_LIMITS = {
  mock: { attempts: 200, requests: 20_000 },
  live: { attempts: 20, requests: 100 },
} as const satisfies Record<RunOptions['target']['kind'], { attempts: number; requests: number }>;

/** A draw on which a check fails. */
type Failing = Pick<FailedDraw, 'draw' | 'finding'>;

/** What has been drawn, by its text. */
type Met = ReadonlyMap<string, Failing | undefined>;

/** Looks for the simplest failure of each check, one after the other, each with an equal share of what may be sent; not of a known one. */
export async function findSimplest(run: SuiteRun, options: RunOptions, sending: Sending): Promise<void> {
  const { target, known } = options;
  const { wire } = sending;
  const { attempts, requests } = SEARCH_LIMITS[target.kind];
  const unknown = run.lanes.flatMap((lane) =>
    lane.checks.flatMap((check) => {
      const failures = lane.failuresOf(check);
      const [first] = failures;
      return first === undefined || known?.lists(check.id, first.finding) === true
        ? []
        : { check, first, failures, sent: lane.sent };
    }),
  );
  for (const { check, first, failures, sent } of unknown) {
    if (wire.closed !== undefined) return;
    const { id: trial } = first.entry;
    const placed = (attempt: number | 'known') => ({
      id: `${trial}~${check.id}~${attempt}`,
      nth: run.nextPlace(),
      simplifies: { check: check.id, trial },
    });
    const met: Met = new Map([
      // They are made only now that something has failed.
      ...sent.map((draw) => [draw.text(), undefined] as const),
      ...failures.map((failure) => [failure.draw.text(), failure] as const),
    ]);
    const most = wire.budget.spent.requests + requests / unknown.length;
    const simplest = await shrink(first, attempts, met, async (draw, attempt) => {
      if (wire.budget.spent.requests >= most) return inconclusive('its share is spent');
      const { entry } = await judgeDraw(draw, [check], sending, placed(attempt));
      const ruling = entry.rulings[check.id];
      const isJudged = entry.missing === undefined && ruling !== undefined && !(ruling instanceof Error);
      return isJudged ? ruling : inconclusive('it could not be judged');
      // A failure that we cannot make simpler is a failure all the same.
    }).catch(() => first);
    // The simplest form may be one that the run had met before it was looked for.
    const before = failures.find((failure) => failure === simplest && failure !== first);
    if (before !== undefined) wire.append({ ...before.entry, ...placed('known') });
  }
}

/**
 * Looks for the simplest input that fails in the same way. Sends at most `attempts` more draws, never two of equal text and
 * none that this run has `met`, and stops at the first one that could not be judged, since that may have cost something.
 */
export async function shrink(
  failure: Failing,
  attempts: number,
  met: Met,
  retry: (draw: Draw, attempt: number) => Promise<Ruling>,
): Promise<Failing> {
  const tried = new Set([failure.draw.text()]);
  let simplest = failure;
  let candidates = failure.draw.simpler()[Symbol.iterator]();
  for (let attempt = 1; attempt <= attempts;) {
    const { value: draw } = candidates.next();
    if (draw === undefined) return simplest;
    const text = draw.text();
    if (tried.has(text)) continue;
    tried.add(text);
    let failing = met.get(text);
    if (!met.has(text)) {
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
