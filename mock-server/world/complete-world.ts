import { builtInWorld } from './built-in-world.ts';
import type { Key, World, Choices } from './world.ts';
import type { WorldFile } from './world-schema.ts';

/**
 * A world from a file that may be partial. The clock and each list are the file's or the base's as a whole; of the
 * limits and of each group of choices, every field for itself. The base's keys in a file with its own models may use
 * all of them.
 */
export function completeWorld(file: WorldFile, base: World = builtInWorld): World {
  return {
    clock: file.clock ?? base.clock,
    models: file.models ?? base.models,
    workspaces: file.workspaces ?? base.workspaces,
    keys: file.keys ?? keysOf(base, file.models !== undefined),
    limits: overlay(base.limits, file.limits),
    choices: completeChoices(file.choices ?? {}, base.choices),
  };
}

function keysOf(base: World, isForOtherModels: boolean): readonly Key[] {
  if (!isForOtherModels) return base.keys;
  return base.keys.map(({ name, key, workspace, scopes }) => ({ name, key, workspace, scopes }));
}

function completeChoices(given: NonNullable<WorldFile['choices']>, own: Choices): Choices {
  return {
    request: overlay(own.request, given.request),
    messages: overlay(own.messages, given.messages),
    images: overlay(own.images, given.images),
    response: overlay(own.response, given.response),
    models: overlay(own.models, given.models),
    vision: overlay(own.vision, given.vision),
    stream: overlay(own.stream, given.stream),
    idempotency: overlay(own.idempotency, given.idempotency),
    errors: overlay(own.errors, given.errors),
    versioning: overlay(own.versioning, given.versioning),
    faults: overlay(own.faults, given.faults),
  };
}

/** JSON has no undefined: what is given is given. */
function overlay<T extends object>(
  own: T,
  given: { [Field in keyof T]?: T[Field] | undefined } | undefined,
): T {
  return { ...own, ...given };
}
