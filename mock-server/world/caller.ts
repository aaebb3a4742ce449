import type { Key, Model, World } from './world.ts';

/** A key in use. */
export interface Caller {
  readonly name: string;
  readonly key: Buffer;
  readonly scopes: ReadonlySet<string>;
  /** The models it may use, available or not, by ID (MOD-2). */
  readonly models: ReadonlyMap<string, Model>;
  readonly workspace: string;
  readonly concurrency: number;
  /** Completions between admission and the end of their answer. */
  inFlight: number;
}

export function createCallers(world: World): readonly Caller[] {
  return world.keys.map((key) => createCaller(world, key));
}

function createCaller(world: World, key: Key): Caller {
  const usable = world.models.filter(({ id }) => key.models?.includes(id) ?? true);
  return {
    name: key.name,
    key: Buffer.from(key.key),
    scopes: new Set(key.scopes),
    models: new Map(usable.map((model) => [model.id, model])),
    workspace: key.workspace,
    concurrency: key.concurrency ?? world.limits.concurrency,
    inFlight: 0,
  };
}

/** The models that the caller can use now. */
export function availableModels({ models }: Caller): readonly Model[] {
  return [...models.values()].filter(({ available }) => available !== false);
}
