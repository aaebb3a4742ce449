import { isDeepStrictEqual } from 'node:util';
import { directionOf, type Direction, type Judged } from './direction-of.ts';
import type { ReadReport } from './report-schema.ts';

/** What became of one check or clause from one report to the next. */
export interface Change {
  readonly id: string;
  /** `new` and `gone`: only one of the reports has it. */
  readonly direction: Direction | 'new' | 'gone';
  readonly before?: Judged;
  readonly after?: Judged;
}

export interface OpenPointChange {
  readonly point: string;
  /** Undefined: not seen. */
  readonly before: unknown;
  readonly after: unknown;
}

/** How two reports differ. */
export interface Comparison {
  /** What else was not the same, and may be why. */
  readonly circumstances: readonly {
    readonly what: string;
    readonly before: string;
    readonly after: string;
  }[];
  readonly checks: readonly Change[];
  readonly clauses: readonly Change[];
  readonly open: readonly OpenPointChange[];
  /** How many checks have the same verdict, for the same failures. */
  readonly same: number;
}

/** Compares two reports, check by check and clause by clause. */
export function compareReports(before: ReadReport, after: ReadReport): Comparison {
  const checks = changes(before.checks, after.checks);
  return {
    circumstances: circumstances(before, after),
    checks,
    clauses: changes(selected(before), selected(after)),
    open: openPointChanges(before, after),
    same: after.checks.length - checks.filter(({ direction }) => direction !== 'gone').length,
  };
}

/** Whether anything got worse: a new failure counts, whatever check shows it. */
export function isWorse({ checks, clauses }: Comparison): boolean {
  return [...checks, ...clauses].some(
    ({ direction, after }) =>
      direction === 'worse' ||
      (direction === 'new' && (after?.verdict === 'fail' || after?.verdict === 'error')),
  );
}

/** A clause of which no check was selected is in a report all the same. */
function selected({ clauses }: ReadReport): ReadReport['clauses'] {
  return clauses.filter(({ checks }) => checks.length > 0);
}

type Identified = Judged & { readonly id: string };

function changes(before: readonly Identified[], after: readonly Identified[]): readonly Change[] {
  const earlier = new Map(before.map((each) => [each.id, each]));
  const later = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((each): readonly Change[] => {
    const was = earlier.get(each.id);
    if (was === undefined) return [{ id: each.id, direction: 'new', after: judged(each) }];
    const direction = directionOf(was, each);
    return direction === undefined
      ? []
      : [{ id: each.id, direction, before: judged(was), after: judged(each) }];
  });
  const gone = before.filter(({ id }) => !later.has(id));
  return [
    ...changed,
    ...gone.map((each): Change => ({ id: each.id, direction: 'gone', before: judged(each) })),
  ];
}

function judged({ verdict, reason }: Judged): Judged {
  return { verdict, reason };
}

function circumstances(before: ReadReport, after: ReadReport): Comparison['circumstances'] {
  const [was, is] = [circumstancesOf(before), circumstancesOf(after)];
  return Object.entries(is).flatMap(([what, now]) => {
    const then = was[what] ?? '';
    return then === now ? [] : [{ what, before: then, after: now }];
  });
}

function circumstancesOf({ target, seed, caps, cutShort }: ReadReport): Readonly<Record<string, string>> {
  const { requests, completions, outputTokens } = caps;
  const capped = [requests, completions, outputTokens].map((cap) => cap ?? 'any');
  return {
    target: target.kind === 'mock' ? 'the mock' : target.baseUrl,
    profile: target.profile ?? 'none',
    seed: String(seed),
    caps: `${capped[0]} requests, ${capped[1]} completions, ${capped[2]} output tokens each`,
    'cut short': cutShort.join('; ') || 'no',
  };
}

function openPointChanges(before: ReadReport, after: ReadReport): readonly OpenPointChange[] {
  const [was, is] = [before, after].map(
    ({ open }) => new Map(open.map(({ point, observed }) => [point, observed])),
  );
  const points = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  return [...points]
    .map((point) => ({ point, before: was?.get(point), after: is?.get(point) }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}
