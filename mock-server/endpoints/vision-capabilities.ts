import type { Caller } from '../world/caller.ts';
import { availableModels } from './list-models.ts';
import type { VisionChoices } from '../world/world-choices.ts';

/** Which of the key's models take image parts (SVC-3, VIS-1), as JSON in the world's shape (VIS-3). */
export function visionCapabilities(caller: Caller, { shape }: VisionChoices): string {
  const models = availableModels(caller).map(({ id, vision }) => ({ id, vision: vision === true }));
  if (shape === 'map')
    return JSON.stringify({ models: Object.fromEntries(models.map((m) => [m.id, m.vision])) });
  if (shape === 'flag') return JSON.stringify({ vision: models.some(({ vision }) => vision) });
  return JSON.stringify({ object: 'list', data: models });
}
