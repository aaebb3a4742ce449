import { builtInWorld } from './built-in-world.ts';
import type { WorldFile } from './world-schema.ts';
import type { Key, World, Choices } from './world.ts';

/**
 * Completes a partial world file from a base world: the clock and each list as a whole, limits and choices field by
 * field. If the file has its own models but no keys, the keys of the base may use all of the models.
 */
export function completeWorld(file: WorldFile, base: World = builtInWorld): World {
  return {
    clock: file.clock ?? base.clock,
    models: file.models ?? base.models,
    workspaces: file.workspaces ?? base.workspaces,
    keys: file.keys ?? keysOf(base, file.models !== undefined),
    limits: overlay(base.limits, file.limits),
    choices: completeChoices(file.choices ?? {}, base.choices),
    ...((file.unanswered ?? base.unanswered) && { unanswered: file.unanswered ?? base.unanswered }),
    ...((file.answers ?? base.answers) && { answers: file.answers ?? base.answers }),
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

function overlay<T extends object>(
  own: T,
  given: { [Field in keyof T]?: T[Field] | undefined } | undefined,
): T {
  return { ...own, ...given };
}
