import type { Model, World } from './world-schema.ts';

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
  return world.keys.map(({ name, key, workspace, ...rights }) => {
    const usable = world.models.filter(({ id }) => rights.models?.includes(id) ?? true);
    return Object.assign(earlier.find((caller) => caller.name === name) ?? { inFlight: 0 }, {
      name,
      key,
      scopes: new Set(rights.scopes),
      models: new Map(usable.map((model) => [model.id, model])),
      workspace,
      concurrency: rights.concurrency ?? world.limits.concurrency,
      isAnyone: world.anyKey === name,
    });
  });
}

export function keysByName({ keys }: World): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map(({ name, key }) => [name, key]));
}

export function availableModels({ models }: Caller): readonly Model[] {
  return [...models.values()].filter(({ available }) => available !== false);
}
