import { controlStimulus } from '../kit/control/control-stimulus.ts';
import type { FaultRule } from '../kit/model/deployment.ts';
import { chatDraft, type Form, smallestChat } from '../kit/provoking/chat-drafts.ts';
import type { Stimulus } from '../kit/model/stimulus.ts';
import type { Trial } from '../kit/model/trial.ts';

/** A chat for which a refusal was armed; `control` is the same chat without. */
export interface ArmedRefusalTrial extends Trial {
  readonly fault: FaultRule['fault'];
  /** How often the fault struck. */
  readonly fired: number;
}

/** A fault, and how the chat that meets it asks for its answer. */
type Armed = readonly [fault: FaultRule['fault'], form: Form];

export interface ArmedRefusals {
  readonly name: string;
  /** How many of them a run with small caps sends. */
  readonly few: number;
  readonly armed: readonly Armed[];
  /** The accepted twin: sent `afresh` once the fault is disarmed, or `before`, where it need not be over again. */
  readonly twin: 'afresh' | 'before';
}

/** The smallest chat, once for each of these. */
export function armedRefusals({ name, few, armed, twin }: ArmedRefusals): Stimulus<ArmedRefusalTrial> {
  return controlStimulus<ArmedRefusalTrial, Armed>({
    name,
    few,
    inputs: armed,
    cost: ([, form], survey) => ({
      refused: 1,
      ...(twin === 'afresh' ? { served: 1 } : { twins: [chatDraft(smallestChat(survey, form))] }),
    }),
    send: async ([fault, form], sender, deployment, survey) => {
      const chat = smallestChat(survey, form);
      await deployment.arm({ fault });
      const exchange = await sender.provoke(chatDraft(chat, { armed: 'refusal' }));
      const fired = await deployment.triggerCount();
      await deployment.disarm();
      const send = twin === 'afresh' ? sender.send : sender.control;
      return { fault, fired, exchanges: [exchange], control: await send(chatDraft(chat)) };
    },
  });
}
