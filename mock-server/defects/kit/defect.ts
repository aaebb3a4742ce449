import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { OPEN_POINTS, type OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { DefectHooks } from '../../exchange/defect-hooks.ts';
import { at, type Place } from './places.ts';

/** One way in which an implementer gets the specification wrong. The mock can have it, and the suites must notice. */
export interface Defect extends DefectHooks {
  /** The clauses it breaks: every run blames each of them. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** Clauses that a run may blame too, because it breaks them where it meets certain requests, and why. */
  readonly alsoBlamed?: AlsoBlamed;
  /** For an open clause: it is broken only where a profile pins these points to these values. */
  readonly pins?: Readonly<Partial<Record<OpenPointName, unknown>>>;
  /** What was built, and often why, in words. */
  readonly story: string;
}

type AlsoBlamed = Readonly<Partial<Record<ClauseId, string>>>;
type Named<Name extends string> = Readonly<Record<Name, Defect>>;

/** A mutation at several places: a defect for each, by name. A place may break other clauses. */
export function defectsAt<Name extends string>(
  clauses: Defect['clauses'],
  story: string,
  hooks: DefectHooks,
  places: Readonly<Record<Name, Place & Partial<Pick<Defect, 'clauses' | 'alsoBlamed'>>>>,
  alsoBlamed: AlsoBlamed = {},
): Named<Name> {
  return mapNamed(places, ({ words, includes, ...breaks }) => ({
    clauses,
    alsoBlamed,
    ...breaks,
    story: words === '' ? story : `${story} (only ${words})`,
    ...at({ includes }, hooks),
  }));
}

/** A mutation in several ways: a defect for each, by a name that says which. */
export function defectsOf<Name extends string, Way>(
  clauses: Defect['clauses'],
  story: string,
  mutate: (way: Way) => DefectHooks,
  ways: Readonly<Record<Name, NoInfer<Way>>>,
  alsoBlamed: AlsoBlamed = {},
): Named<Name> {
  return mapNamed(ways, (way) => ({ clauses, alsoBlamed, story, ...mutate(way) }));
}

/** A release that departs from what a profile has pinned: nothing else can be wrong about an open point. */
export function releaseOf(
  point: OpenPointName,
  pinned: unknown,
  hooks: DefectHooks,
  alsoBlamed: AlsoBlamed = {},
): Defect {
  const { clause, what } = OPEN_POINTS[point];
  const story = `A release changes what a profile has pinned: ${what}`;
  return { clauses: [clause], alsoBlamed, pins: { [point]: pinned }, story, ...hooks };
}

function mapNamed<Name extends string, From>(
  named: Readonly<Record<Name, From>>,
  change: (from: From) => Defect,
): Named<Name> {
  const entries = Object.entries<From>(named).map(([name, from]) => [name, change(from)] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the names
  return Object.fromEntries(entries) as Named<Name>;
}
