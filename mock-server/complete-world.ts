import { builtInWorld } from './built-in-world.ts';
import type { Key, World } from './world.ts';
import type { Choices } from './world-choices.ts';
import type { WorldFile } from './world-schema.ts';

/**
 * A world from a file that may be partial. The clock and each list are the file's or the built-in world's as a
 * whole; of the limits and of each group of choices, every field for itself. Built-in keys in a file with its own
 * models may use all of them.
 */
export function completeWorld(file: WorldFile): World {
  return {
    clock: file.clock ?? builtInWorld.clock,
    models: file.models ?? builtInWorld.models,
    workspaces: file.workspaces ?? builtInWorld.workspaces,
    keys: file.keys ?? builtInKeys(file.models !== undefined),
    limits: overlay(builtInWorld.limits, file.limits),
    choices: completeChoices(file.choices ?? {}),
  };
}

function builtInKeys(isForOtherModels: boolean): readonly Key[] {
  if (!isForOtherModels) return builtInWorld.keys;
  return builtInWorld.keys.map(({ name, key, workspace, scopes }) => ({ name, key, workspace, scopes }));
}

function completeChoices(given: NonNullable<WorldFile['choices']>): Choices {
  const own = builtInWorld.choices;
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
  };
}

/** JSON has no undefined: what is given is given. */
function overlay<T extends object>(
  own: T,
  given: { [Field in keyof T]?: T[Field] | undefined } | undefined,
): T {
  return { ...own, ...given };
}
