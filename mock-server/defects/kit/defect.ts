import { OPEN_POINTS, type OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { DefectHooks } from '../../exchange/defect-hooks.ts';
import { type Blame, type DefectPlace, only } from './places.ts';

/** One way in which an implementer gets the specification wrong. The mock can have it, and the suites must notice. */
export interface Defect extends DefectHooks, Blame {
  /** For an open clause: it is broken only where a profile pins these points to these values. */
  readonly pins?: Readonly<Partial<Record<OpenPointName, unknown>>>;
  /** What was built, and often why, in words. */
  readonly story: string;
}

/** What a defect does everywhere, or at each of several places; at some of them, a run blames it for something else. */
type Mutation = DefectHooks | readonly [DefectHooks, ...At[]];
type At = DefectPlace | (Partial<Blame> & { readonly place: DefectPlace });

type Joined<Words extends string> = Words extends `${infer Word} ${infer More}`
  ? `${Word}-${Joined<More>}`
  : Words;
type NameAt<Name extends string, Where> = Where extends { readonly place: infer Place }
  ? NameAt<Name, Place>
  : Where extends 'everywhere'
    ? Name
    : `${Name}-${Joined<Where & DefectPlace>}`;
type NamesOf<Mutations> = {
  [Name in keyof Mutations & string]: Mutations[Name] extends readonly [DefectHooks, ...(infer Where)[]]
    ? NameAt<Name, Where>
    : Name;
}[keyof Mutations & string];

/** A defect for each mutation, and of one at several places for each place: its name then ends with the words of the place. */
export function defects<const Mutations extends Readonly<Record<string, Mutation>>>(
  blamed: Blame['clauses'] | Blame,
  story: string,
  mutations: Mutations,
): Readonly<Record<NamesOf<Mutations>, Defect>> {
  const all = Object.entries<Mutation>(mutations).flatMap(([name, mutation]) => {
    const [hooks, ...places]: readonly [DefectHooks, ...At[]] =
      0 in mutation ? mutation : [mutation, 'everywhere'];
    return places.map((each) => {
      const { place, ...its } = typeof each === 'string' ? { place: each } : each;
      const defect = { ...blameOf(blamed), ...its, ...only(place, hooks) };
      return place === 'everywhere'
        ? [name, { ...defect, story }]
        : [`${name}-${place.replaceAll(' ', '-')}`, { ...defect, story: `${story} (only ${place})` }];
    });
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the names
  return Object.fromEntries(all) as Readonly<Record<NamesOf<Mutations>, Defect>>;
}

/** A defect for each way of a mutation, by the name of the defect. */
export function defectsOf<const Name extends string, Way>(
  blamed: Blame['clauses'] | Blame,
  story: string,
  mutate: (way: Way) => DefectHooks,
  ways: Readonly<Record<Name, NoInfer<Way>>>,
): Readonly<Record<Name, Defect>> {
  const blame = blameOf(blamed);
  const all = Object.entries<Way>(ways).map(([name, way]) => [name, { ...blame, story, ...mutate(way) }]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the names
  return Object.fromEntries(all) as Readonly<Record<Name, Defect>>;
}

function blameOf(blamed: Blame['clauses'] | Blame): Blame {
  return 'clauses' in blamed ? blamed : { clauses: blamed };
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
