import type { Key, Model, World } from './world-schema.ts';

/** A key in use. */
export interface Caller {
  readonly name: string;
  readonly key: string;
  readonly scopes: ReadonlySet<string>;
  /** The models it may use, available or not, by ID (MOD-2). */
  readonly models: ReadonlyMap<string, Model>;
  readonly workspace: string;
  readonly concurrency: number;
  /** Whether every key that is none of the world's counts as this one. */
  readonly isAnyone: boolean;
  /** Completions between admission and the end of their answer. */
  inFlight: number;
}

/** `earlier`: the callers of the world before it changed, which keep what they have in flight. */
export function createCallers(world: World, earlier: readonly Caller[] = []): readonly Caller[] {
  return world.keys.map((key) => {
    const before = earlier.find(({ name }) => name === key.name);
    const caller = createCaller(world, key);
    return before === undefined ? caller : Object.assign(before, { ...caller, inFlight: before.inFlight });
  });
}

function createCaller(world: World, key: Key): Caller {
  const usable = world.models.filter(({ id }) => key.models?.includes(id) ?? true);
  return {
    name: key.name,
    key: key.key,
    scopes: new Set(key.scopes),
    models: new Map(usable.map((model) => [model.id, model])),
    workspace: key.workspace,
    concurrency: key.concurrency ?? world.limits.concurrency,
    isAnyone: world.anyKey === key.name,
    inFlight: 0,
  };
}

/** The bearer keys of a world, by their names. */
export function keysByName({ keys }: World): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map(({ name, key }) => [name, key]));
}

/** The models that the caller can use now. */
export function availableModels({ models }: Caller): readonly Model[] {
  return [...models.values()].filter(({ available }) => available !== false);
}
