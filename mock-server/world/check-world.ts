import type { AnswerRule } from '../answers/compile-answers.ts';
import { compileAnswers } from '../answers/compile-answers.ts';
import { jsonPointer } from '../protocol/service-error.ts';
import { suggestion, RuleError } from '../rules/rule-error.ts';
import { builtInWorld } from './built-in-world.ts';
import { type Problem, problemsIn } from './closed-object.ts';
import { completeWorld } from './complete-world.ts';
import { type WorldPart, worldPartSchema } from './world-schema.ts';
import type { World } from './world.ts';

/** A part of a world that cannot be completed. The message is one line: the first place, and its problem. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
  readonly problems: readonly Problem[];

  constructor(place: string, problems: readonly Problem[]) {
    const placed = problems.map(({ pointer, message }) => ({ pointer: place + pointer, message }));
    const [first = { pointer: place, message: 'is wrong' }] = placed;
    super(`${first.pointer || 'the root'}: ${first.message}`);
    this.problems = placed;
  }
}

/** A complete world, and its chosen answers as rules. */
export interface CheckedWorld {
  readonly world: World;
  readonly worldAnswers: readonly AnswerRule[];
  /** The workspaces to which the part itself gives credits. */
  readonly credited?: readonly string[];
  /** Whether the part itself says something of keys. */
  readonly hasOwnKeys?: boolean;
}

/** What a part is a part of, and the place where it stands, which begins every place of a problem. */
export interface WorldContext {
  readonly base?: World | undefined;
  readonly place?: string;
}

/** Completes a part of a world, wherever it comes from. Throws a WorldError. */
export function checkWorld(
  given: unknown,
  { base = builtInWorld, place = '' }: WorldContext = {},
): CheckedWorld {
  const parsed = worldPartSchema.safeParse(given);
  if (!parsed.success) throw new WorldError(place, problemsIn(parsed.error));
  const part = parsed.data;
  const world = completeWorld(part, base);
  const problems = [
    ...LISTS.flatMap((list) => wrongChanges(list, part, { base, world })),
    ...contradictions(world, part),
  ];
  if (problems.length > 0) throw new WorldError(place, problems);
  return {
    world,
    worldAnswers: answersOf(world, place),
    credited: creditedIn(part),
    hasOwnKeys: part.keys !== undefined,
  };
}

function creditedIn({ workspaces = {} }: WorldPart): readonly string[] {
  if (!isByName(workspaces)) return workspaces.map(({ id }) => id);
  return Object.entries(workspaces).flatMap(([id, change]) => (change?.credits === undefined ? [] : [id]));
}

function answersOf(world: World, place: string): readonly AnswerRule[] {
  try {
    return compileAnswers(world.answers ?? [], world);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    throw new WorldError(place, [
      { pointer: jsonPointer(['answers', ...error.path]), message: error.problem },
    ]);
  }
}

const LISTS = ['models', 'workspaces', 'keys'] as const;
type List = (typeof LISTS)[number];

/** What a member says that is new. */
const NEEDED: Readonly<Record<List, readonly string[]>> = {
  models: ['contextTokens', 'price'],
  workspaces: ['credits'],
  keys: ['key'],
};

function namesIn(list: List, world: World): readonly string[] {
  return list === 'keys' ? world.keys.map(({ name }) => name) : world[list].map(({ id }) => id);
}

function isByName<Given extends WorldPart[List]>(
  given: Given,
): given is Exclude<Given, undefined | readonly unknown[]> {
  return given !== undefined && !Array.isArray(given);
}

interface Change {
  readonly base: World;
  /** The base with the change. */
  readonly world: World;
}

/** Changes of members that the base does not have, and that say too little to be new: mostly misspelt names. */
function wrongChanges(list: List, part: WorldPart, { base, world }: Change): readonly Problem[] {
  const given = part[list];
  if (!isByName(given)) return [];
  const known = namesIn(list, base);
  return Object.entries(given).flatMap(([name, member]) => {
    const missing = NEEDED[list].filter((field) => member === null || !Object.hasOwn(member, field));
    if (list === 'workspaces' && world.keys.every(({ workspace }) => workspace !== name))
      missing.push('a key');
    if (known.includes(name) || missing.length === 0) return [];
    const message = `no ${list.slice(0, -1)} of this world${suggestion(name, known)}; it has ${known.join(', ')}, and a new one needs ${missing.join(' and ')}`;
    return [{ pointer: jsonPointer([list, name]), message }];
  });
}

/** The place of a member of a list in the part: its index, or its name where the part changes the list by names. */
type PlaceOf = (list: List, index: number, ...more: readonly (string | number)[]) => string;

/** What a schema of single values cannot see: names without a referent, and duplicate names or keys. */
function contradictions(world: World, part: WorldPart): readonly Problem[] {
  const placeOf: PlaceOf = (list, index, ...more) =>
    jsonPointer([list, isByName(part[list]) ? (namesIn(list, world)[index] ?? '') : index, ...more]);
  const { temperatureMinimum, temperatureMaximum } = world.choices.request;
  return [
    ...repeated(namesIn('models', world), (index) => placeOf('models', index, 'id')),
    ...repeated(namesIn('workspaces', world), (index) => placeOf('workspaces', index, 'id')),
    ...repeated(namesIn('keys', world), (index) => placeOf('keys', index, 'name')),
    ...repeated(
      world.keys.map(({ key }) => key),
      (index) => placeOf('keys', index, 'key'),
    ),
    ...danglingNames(world, placeOf),
    ...(temperatureMinimum > temperatureMaximum
      ? [{ pointer: '/choices/request/temperatureMinimum', message: 'is above the maximum' }]
      : []),
  ];
}

function repeated(values: readonly string[], placeAt: (index: number) => string): readonly Problem[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const before = seen.size;
    if (seen.add(value).size > before) return [];
    return [{ pointer: placeAt(index), message: 'is a duplicate' }];
  });
}

function danglingNames({ anyKey, ...world }: World, placeOf: PlaceOf): readonly Problem[] {
  const models = new Set(namesIn('models', world));
  const workspaces = new Set(namesIn('workspaces', world));
  const ofKeys = world.keys.flatMap((key, index) => [
    ...(key.models ?? []).flatMap((id, at) =>
      models.has(id)
        ? []
        : [{ pointer: placeOf('keys', index, 'models', at), message: 'is not a model of this world' }],
    ),
    ...(workspaces.has(key.workspace)
      ? []
      : [{ pointer: placeOf('keys', index, 'workspace'), message: 'is not a workspace of this world' }]),
  ]);
  if (typeof anyKey !== 'string' || namesIn('keys', world).includes(anyKey)) return ofKeys;
  return [...ofKeys, { pointer: '/anyKey', message: 'is not the name of a key of this world' }];
}
