import { builtInWorld } from './built-in-world.ts';
import type { WorldPart, Key, World } from './world-schema.ts';

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

interface Change {
  readonly part: WorldPart;
  readonly base: World;
  /** The base with the change. */
  readonly lists: Pick<World, 'models' | 'workspaces'>;
}

/** A key of the base, as it fits the lists of the part. */
function adapted({ models, concurrency, ...key }: Key, { part, base, lists }: Change): Key {
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

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
