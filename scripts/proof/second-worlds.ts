import { SECOND_DEFECTS } from './second-service/defects/defects.ts';
import { startSecondService } from './second-service/start-second-service.ts';
import { USUAL_CHOICES } from './second-service/usual-choices.ts';
import type { ProvedWorld } from './proved-world.ts';

/** The second service with each of its defects. */
export const SECOND_DEFECT_WORLDS: readonly ProvedWorld[] = Object.entries(SECOND_DEFECTS).map(
  ([name, { choices, parts }]) => ({
    name,
    kind: 'defect',
    start: (seed) =>
      startSecondService(seed, { ...USUAL_CHOICES, ...choices }, (right) => ({
        ...right,
        ...parts?.(right),
      })),
  }),
);
