import { type AnswerRule, compileAnswers } from '../answers/compile-answers.ts';
import { compileFaults, type FaultRule } from '../faults/compile-faults.ts';
import { InputError, parsed, unknownName, within } from '../input/input-error.ts';
import { isObject, type Members } from '../protocol/json.ts';
import { builtInWorld } from './built-in-world.ts';
import { type Key, type WorldPart, worldPartSchema, type World, type Workspace } from './world-schema.ts';

export interface CheckedWorld {
  readonly world: World;
  readonly worldRules: { readonly faults: readonly FaultRule[]; readonly answers: readonly AnswerRule[] };
  /** The workspaces to which the part itself gives credits; absent: all. */
  readonly credited?: readonly Workspace[];
  /** Whether the part itself says something of keys. */
  readonly hasOwnKeys?: boolean;
}

/** Completes a part of a world, wherever it comes from. Throws an InputError. */
export function checkWorld(given: unknown, base: World = builtInWorld): CheckedWorld {
  const part = parsed(worldPartSchema, given);
  const world = completeWorld(part, base);
  for (const wrong of contradictions(part, world, base)) throw wrong;
  const { faults = [], answers = [] } = world;
  const { workspaces, keys } = part;
  const isCredited = ({ id }: Workspace): boolean =>
    isByName(workspaces) ? workspaces[id]?.credits !== undefined : workspaces !== undefined;
  return {
    world,
    worldRules: {
      faults: within(['faults'], () => compileFaults(faults, world)),
      answers: within(['answers'], () => compileAnswers(answers, world)),
    },
    credited: world.workspaces.filter(isCredited),
    hasOwnKeys: keys !== undefined,
  };
}

/** What a member says that is new. */
const NEEDED = { models: ['contextTokens', 'price'], workspaces: ['credits'], keys: ['key'] } as const;

type List = keyof typeof NEEDED;

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
  for (const list of ['models', 'workspaces', 'keys'] as const) {
    yield* wrongChanges(list, part, world, base);
    for (const name of namesIn(list, world).filter(isRepeated))
      yield new InputError([list, name], 'is a duplicate');
  }
  const bearers = world.keys.map(({ key }) => key);
  for (const { name } of world.keys.filter(({ key }, index) => isRepeated(key, index, bearers)))
    yield new InputError(['keys', name, 'key'], 'is a duplicate');
  for (const { name, models = [], workspace } of world.keys) {
    if (!models.every((id) => namesIn('models', world).includes(id)))
      yield new InputError(['keys', name, 'models'], 'names a model that this world does not have');
    if (!namesIn('workspaces', world).includes(workspace))
      yield new InputError(['keys', name, 'workspace'], 'is not a workspace of this world');
  }
  const { anyKey, choices } = world;
  if (typeof anyKey === 'string' && !namesIn('keys', world).includes(anyKey))
    yield new InputError(['anyKey'], 'is not the name of a key of this world');
  if (choices.request.temperatureMinimum > choices.request.temperatureMaximum)
    yield new InputError(['choices', 'request', 'temperatureMinimum'], 'is above the maximum');
}

/** Whether a value stands in its list before. */
function isRepeated(value: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(value) !== index;
}

/**
 * Changes of members that the base does not have, and that say too little to be new: mostly misspelt names. `world`: the base
 * with the change.
 */
function* wrongChanges(list: List, part: WorldPart, world: World, base: World): Generator<InputError> {
  const given = part[list];
  if (!isByName(given)) return;
  const known = namesIn(list, base);
  for (const [name, member] of Object.entries(given).filter(([each]) => !known.includes(each))) {
    const missing: string[] = NEEDED[list].filter(
      (field) => member === null || !Object.hasOwn(member, field),
    );
    if (list === 'workspaces' && world.keys.every(({ workspace }) => workspace !== name))
      missing.push('a key');
    if (missing.length === 0) continue;
    const problem = unknownName(`${list.slice(0, -1)} of this world`, name, known);
    yield new InputError([list, name], `${problem}, and a new one needs ${missing.join(' and ')}`);
  }
}

/**
 * Completes a part of a world from a base, as JSON Merge Patch (RFC 7396) does; an object in place of a list changes its
 * members by their names. The keys of the base may use the models that the part adds (all of a list), belong to the first workspace where
 * theirs is gone, and keep no limit of their own where the part limits concurrency.
 */
export function completeWorld(part: WorldPart, base: World = builtInWorld): World {
  const { $schema: _, ...given } = part;
  const clock = given.clock === 'frozen' ? builtInWorld.clock : (given.clock ?? base.clock);
  const withKeys = (keys: World['keys']): World =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- merging keeps the shape, which no type can say
    merged({ ...base, keys }, given) as World;
  const lists = withKeys(base.keys);
  const world = withKeys(base.keys.map((key) => adapted(key, { part, base, lists })));
  const common = { workspace: lists.workspaces[0]?.id ?? '', scopes: ['inference'] };
  return { ...world, clock, keys: world.keys.map((key) => ({ ...common, ...key })) };
}

interface Adaptation {
  readonly part: WorldPart;
  readonly base: World;
  /** The base with the change. */
  readonly lists: Pick<World, 'models' | 'workspaces'>;
}

/** A key of the base, as it fits the lists of the part. */
function adapted({ models, concurrency, ...key }: Key, { part, base, lists }: Adaptation): Key {
  const { workspaces } = lists;
  const before = new Set(base.models.map(({ id }) => id));
  const usable = lists.models
    .map(({ id }) => id)
    .filter((id) => models?.includes(id) === true || !before.has(id));
  return {
    ...key,
    ...(models && !Array.isArray(part.models) && { models: usable }),
    ...(concurrency !== undefined && part.limits?.concurrency === undefined && { concurrency }),
    workspace: (workspaces.find(({ id }) => id === key.workspace) ?? workspaces[0])?.id ?? '',
  };
}

/** What is undefined changes nothing, and a list takes the place of the whole list. */
function merged(own: unknown, given: unknown): unknown {
  if (given === undefined) return own;
  if (!isObject(given)) return given;
  if (Array.isArray(own)) return changed(own.filter(isObject), given);
  if (!isObject(own)) return given;
  const names = [...new Set([...Object.keys(own), ...Object.keys(given)])];
  return Object.fromEntries(names.map((name) => [name, merged(own[name], given[name])]));
}

/** Null drops a member; a name that the list does not have adds one. */
function changed(own: readonly Members[], changes: Members): readonly unknown[] {
  const field = own.some((member) => Object.hasOwn(member, 'id')) ? 'id' : 'name';
  const known = new Set(own.map((member) => String(member[field])));
  const kept = own.filter((member) => changes[String(member[field])] !== null);
  const added = Object.entries(changes).filter(([name, member]) => member !== null && !known.has(name));
  return [
    ...kept.map((member) => merged(member, changes[String(member[field])])),
    ...added.map(([name, member]) => merged({ [field]: name }, member)),
  ];
}
