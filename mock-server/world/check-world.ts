import { type AnswerRule, compileAnswers } from '../answers/compile-answers.ts';
import { InputError, parsed, unknownName, within } from '../input/input-error.ts';
import type { Step } from '../protocol/service-error.ts';
import { builtInWorld } from './built-in-world.ts';
import { completeWorld } from './complete-world.ts';
import { type WorldPart, worldPartSchema, type World } from './world-schema.ts';

/** A complete world, and its chosen answers as rules. */
export interface CheckedWorld {
  readonly world: World;
  readonly worldAnswers: readonly AnswerRule[];
  /** The workspaces to which the part itself gives credits. */
  readonly credited?: readonly string[];
  /** Whether the part itself says something of keys. */
  readonly hasOwnKeys?: boolean;
}

/** Completes a part of a world, wherever it comes from. Throws an InputError. */
export function checkWorld(given: unknown, base: World = builtInWorld): CheckedWorld {
  const part = parsed(worldPartSchema, given);
  const world = completeWorld(part, base);
  for (const wrong of contradictions(part, world, base)) throw wrong;
  const worldAnswers = within(['answers'], () => compileAnswers(world.answers ?? [], world));
  return { world, worldAnswers, credited: creditedIn(part), hasOwnKeys: part.keys !== undefined };
}

function creditedIn({ workspaces = {} }: WorldPart): readonly string[] {
  if (!isByName(workspaces)) return workspaces.map(({ id }) => id);
  return Object.entries(workspaces).flatMap(([id, change]) => (change?.credits === undefined ? [] : [id]));
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

/** What a schema of single values cannot see: names without a referent, and duplicate names or keys. */
function* contradictions(part: WorldPart, world: World, base: World): Generator<InputError> {
  /** The place of a member in the part: its index, or its name where the part changes the list by names. */
  const placeOf = (list: List, index: number, ...more: readonly Step[]): readonly Step[] => [
    list,
    isByName(part[list]) ? (namesIn(list, world)[index] ?? '') : index,
    ...more,
  ];
  for (const list of LISTS) {
    yield* wrongChanges(list, part, { base, world });
    for (const index of repeated(namesIn(list, world)))
      yield new InputError(placeOf(list, index, list === 'keys' ? 'name' : 'id'), 'is a duplicate');
  }
  for (const index of repeated(world.keys.map(({ key }) => key)))
    yield new InputError(placeOf('keys', index, 'key'), 'is a duplicate');
  const models = new Set(namesIn('models', world));
  const workspaces = new Set(namesIn('workspaces', world));
  for (const [index, key] of world.keys.entries()) {
    for (const [at, id] of (key.models ?? []).entries())
      if (!models.has(id))
        yield new InputError(placeOf('keys', index, 'models', at), 'is not a model of this world');
    if (!workspaces.has(key.workspace))
      yield new InputError(placeOf('keys', index, 'workspace'), 'is not a workspace of this world');
  }
  const { anyKey, choices } = world;
  if (typeof anyKey === 'string' && !namesIn('keys', world).includes(anyKey))
    yield new InputError(['anyKey'], 'is not the name of a key of this world');
  if (choices.request.temperatureMinimum > choices.request.temperatureMaximum)
    yield new InputError(['choices', 'request', 'temperatureMinimum'], 'is above the maximum');
}

interface Change {
  readonly base: World;
  /** The base with the change. */
  readonly world: World;
}

/** Changes of members that the base does not have, and that say too little to be new: mostly misspelt names. */
function* wrongChanges(list: List, part: WorldPart, { base, world }: Change): Generator<InputError> {
  const given = part[list];
  if (!isByName(given)) return;
  const known = namesIn(list, base);
  for (const [name, member] of Object.entries(given).filter(([each]) => !known.includes(each))) {
    const missing = NEEDED[list].filter((field) => member === null || !Object.hasOwn(member, field));
    if (list === 'workspaces' && world.keys.every(({ workspace }) => workspace !== name))
      missing.push('a key');
    if (missing.length === 0) continue;
    const problem = unknownName(`${list.slice(0, -1)} of this world`, name, known);
    yield new InputError([list, name], `${problem}, and a new one needs ${missing.join(' and ')}`);
  }
}

/** The indexes of the values that stand in the list before. */
function repeated(values: readonly string[]): readonly number[] {
  const first = new Map(values.map((value, index) => [value, index] as const).toReversed());
  return [...values.keys()].filter((index) => first.get(values[index] ?? '') !== index);
}
