import { controlStimulus } from '../kit/control/control-stimulus.ts';
import type { Rule } from '../kit/control/deployment.ts';
import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { smallestChat } from '../kit/provoking/smallest-chat.ts';
import type { Stimulus } from '../kit/stimulus.ts';
import type { Trial } from '../kit/trial.ts';

/** A chat for which a refusal was armed; `control` is the same chat without. */
export interface ArmedRefusalTrial extends Trial {
  readonly fault: Rule['fault'];
  /** How often the fault struck. */
  readonly fired: number;
}

export interface ArmedRefusals {
  readonly name: string;
  readonly faults: readonly Rule['fault'][];
  /** The accepted twin: sent `afresh` once the fault is disarmed, or `before`, where it need not be over again. */
  readonly twin: 'afresh' | 'before';
}

/** The smallest chat, once for each of these faults. */
export function armedRefusals({ name, faults, twin }: ArmedRefusals): Stimulus<ArmedRefusalTrial> {
  return controlStimulus<ArmedRefusalTrial, Rule['fault']>({
    name,
    few: faults.length,
    inputs: faults,
    cost: (_, survey) => ({
      refused: 1,
      ...(twin === 'afresh' ? { served: 1 } : { twins: [chatDraft(smallestChat(survey))] }),
    }),
    send: async (fault, sender, deployment, survey) => {
      const chat = smallestChat(survey);
      await deployment.arm({ fault });
      const exchange = await sender.provoke(chatDraft(chat, { armed: 'refusal' }));
      const fired = await deployment.fired();
      await deployment.disarm();
      const send = twin === 'afresh' ? sender.send : sender.control;
      return { fault, fired, exchanges: [exchange], control: await send(chatDraft(chat)) };
    },
  });
}
