import type { ProofWorld } from '../model/proof-world.ts';
import { OWN_CHOICES } from '../second-service/own-choices.ts';
import { startSecondService } from '../second-service/start-second-service.ts';
import { ANSWER_DEFECTS } from './answer-defects.ts';
import { SECOND_CHAT_DEFECTS } from './chat-defects.ts';
import { SECOND_MODEL_DEFECTS } from './model-defects.ts';
import type { SecondDefects } from './second-defect.ts';
import { WORKSPACE_DEFECTS } from './workspace-defects.ts';

/** Every way in which the second service breaks the specification, by name. */
const ALL: SecondDefects = {
  ...SECOND_MODEL_DEFECTS,
  ...SECOND_CHAT_DEFECTS,
  ...ANSWER_DEFECTS,
  ...WORKSPACE_DEFECTS,
};

/** The second service with each of its defects. */
export const SECOND_DEFECT_WORLDS: readonly ProofWorld[] = Object.entries(ALL).map(([name, defect]) => ({
  name,
  kind: 'defect',
  defect,
  start: (seed) =>
    startSecondService(seed, { ...OWN_CHOICES, ...defect.choices }, (right) => ({
      ...right,
      ...defect.amend?.(right),
    })),
}));
