import { OPEN_POINTS, type OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { DefectHooks } from '../../chat/defect-hooks.ts';
import { type Blame, type DefectPlace, only } from './places.ts';

/** One way in which an implementer gets the specification wrong. The mock can have it, and the suites must notice. */
export interface Defect extends DefectHooks, Blame {
  /** For an open clause: it is broken only where a profile pins these points to these values. */
  readonly pins?: Readonly<Partial<Record<OpenPointName, unknown>>>;
  /** What was built, and often why, in words. */
  readonly story: string;
}

/** A mutation everywhere, or at each of several places; at some of them, a run blames it for something else. */
type Row<Way> = Way | readonly [Way, ...At[]];
type Anywhere = DefectPlace | 'everywhere';
type At = Anywhere | (Partial<Blame> & { readonly place: Anywhere });

type Joined<Words extends string> = Words extends `${infer Word} ${infer More}`
  ? `${Word}-${Joined<More>}`
  : Words;
type NameAt<Name extends string, Where> = Where extends { readonly place: infer Place }
  ? NameAt<Name, Place>
  : Where extends 'everywhere'
    ? Name
    : `${Name}-${Joined<Where & DefectPlace>}`;
type NamesOf<Rows> = {
  [Name in keyof Rows & string]: Rows[Name] extends readonly [unknown, ...(infer Where)[]]
    ? NameAt<Name, Where>
    : Name;
}[keyof Rows & string];

/** A defect for each mutation, and of one at several places for each place: its name then ends with the words of the place. */
export function defects<const Rows extends Readonly<Record<string, Row<DefectHooks>>>>(
  blamed: Blame['clauses'] | Blame,
  story: string,
  rows: Rows,
): Readonly<Record<NamesOf<Rows>, Defect>> {
  return defectsOf(blamed, story, (hooks: DefectHooks) => hooks, rows);
}

/** The same of mutations of one kind: `mutate` makes each. */
export function defectsOf<Way, const Rows extends Readonly<Record<string, Row<Way>>>>(
  blamed: Blame['clauses'] | Blame,
  story: string,
  mutate: (way: Way) => DefectHooks,
  rows: Rows,
): Readonly<Record<NamesOf<Rows>, Defect>> {
  const blame = 'clauses' in blamed ? blamed : { clauses: blamed };
  const all = Object.entries<Row<Way>>(rows).flatMap(([name, row]) => {
    const [way, ...places]: readonly [Way, ...At[]] = isAtPlaces(row) ? row : [row, 'everywhere'];
    return places.map((each) => {
      const { place, ...its } = typeof each === 'string' ? { place: each } : each;
      const defect = { ...blame, ...its, story };
      if (place === 'everywhere') return [name, { ...defect, ...mutate(way) }];
      const there = { story: `${story} (only ${place})`, ...only(place, mutate(way)) };
      return [`${name}-${place.replaceAll(' ', '-')}`, { ...defect, ...there }];
    });
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the names
  return Object.fromEntries(all) as Readonly<Record<NamesOf<Rows>, Defect>>;
}

function isAtPlaces<Way>(row: Row<Way>): row is readonly [Way, ...At[]] {
  return Array.isArray(row);
}

/** A release that departs from what a profile has pinned: nothing else can be wrong about an open point. */
export function releaseOf(
  point: OpenPointName,
  pinned: unknown,
  hooks: DefectHooks,
  alsoBlamed: Blame['alsoBlamed'] = {},
): Defect {
  const { clause, what } = OPEN_POINTS[point];
  const story = `A release changes what a profile has pinned: ${what}`;
  return { clauses: [clause], alsoBlamed, pins: { [point]: pinned }, story, ...hooks };
}
