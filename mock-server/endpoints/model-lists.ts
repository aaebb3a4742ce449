import { availableModels, type Caller } from '../world/caller.ts';
import type { Model, ModelListChoices, VisionChoices } from '../world/world.ts';

/** 2025-01-01: all models of a world have the same age. */
const CREATED = 1_735_689_600;

/** The models that a key can use now (SVC-2, MOD-1, MOD-2), as JSON in the world's shape (MOD-3). */
export function listModels(caller: Caller, { shape, idField }: ModelListChoices): string {
  const records = availableModels(caller).map((model) => record(model, idField));
  if (shape === 'list') return JSON.stringify(records);
  return JSON.stringify(shape === 'data' ? { object: 'list', data: records } : { models: records });
}

/** Includes what a caller needs to choose: the context in tokens, and the price in credits per token. */
function record({ id, contextTokens, price }: Model, idField: string): object {
  return {
    [idField]: id,
    object: 'model',
    created: CREATED,
    owned_by: 'mock',
    context_length: contextTokens,
    pricing: { input: price.input, output: price.output },
  };
}

/** Which of the key's models accept image parts (SVC-3, VIS-1), as JSON in the world's shape (VIS-3). */
export function visionCapabilities(caller: Caller, { shape }: VisionChoices): string {
  const models = availableModels(caller).map(({ id, vision }) => ({ id, vision: vision === true }));
  if (shape === 'map')
    return JSON.stringify({ models: Object.fromEntries(models.map((m) => [m.id, m.vision])) });
  if (shape === 'flag') return JSON.stringify({ vision: models.some(({ vision }) => vision) });
  return JSON.stringify({ object: 'list', data: models });
}
