import type { Deployment } from '../model/deployment.ts';
import { inconclusive, type Ruling } from '../model/ruling.ts';
import { type Cost, type Sender, type Stimulus, stimulus, type Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';

export interface ControlDeclaration<T extends Trial, I> {
  readonly name: string;
  readonly cappedCount: number;
  readonly firstCount?: number;
  readonly inputs: readonly I[];
  readonly cost: (input: I, info: TargetInfo) => Cost;
  readonly send: (input: I, sender: Sender, deployment: Deployment, info: TargetInfo) => Promise<T>;
}

/** A stimulus that needs the control URL: sent last and alone. It always disarms its faults. */
export function controlStimulus<T extends Trial, I>(declaration: ControlDeclaration<T, I>): Stimulus<T> {
  const { name, cappedCount, firstCount = 1, inputs, cost, send } = declaration;
  return stimulus<T, I>({
    name,
    stage: 'control',
    cappedCount,
    // They are few, and each tests something else.
    fixedCount: cappedCount,
    firstCount,
    alone: true,
    skipReason: ({ control }) => (control ? undefined : 'needs --control-url'),
    inputs: () => ({ examples: inputs }),
    cost,
    send: async (input, sender, info) => {
      const { deployment } = sender;
      if (deployment === undefined) throw new TypeError(`${name} was sent without a control URL`);
      try {
        return await send(input, sender, deployment, info);
      } finally {
        if (deployment.isArmed()) await deployment.disarm();
      }
    },
  });
}

/** The ruling when the armed fault never triggered, so that the answer says nothing; undefined when it did. */
export function inconclusiveIfUntriggered(fault: string, triggerCount: number): Ruling | undefined {
  return triggerCount > 0 ? undefined : inconclusive(`${fault} was armed and did not trigger`);
}
