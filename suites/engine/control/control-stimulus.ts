import type { Deployment, FaultRule } from '../model/deployment.ts';
import type { Exchange } from '../model/exchange.ts';
import { inconclusive, type Ruling } from '../model/ruling.ts';
import { type Sender, type Stimulus, stimulus, type Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';

interface ControlDeclaration<T extends Trial, I> extends Pick<
  Stimulus<T, I>,
  'name' | 'cappedCount' | 'firstCount' | 'cost'
> {
  readonly inputs: readonly I[];
  readonly send: (input: I, sender: Sender, deployment: Deployment, info: TargetInfo) => Promise<T>;
}

/** A stimulus that needs the control URL: sent last and alone. It always disarms its faults. */
export function controlStimulus<T extends Trial, I>(declaration: ControlDeclaration<T, I>): Stimulus<T> {
  const { inputs, send, ...declared } = declaration;
  return stimulus<T, I>({
    ...declared,
    stage: 'control',
    // They are few, and each tests something else.
    fixedCount: declared.cappedCount,
    alone: true,
    skipReason: ({ control }) => (control ? undefined : 'needs --control-url'),
    inputs: () => ({ examples: inputs }),
    send: async (input, sender, info) => {
      const { deployment } = sender;
      if (deployment === undefined) throw new TypeError(`${declared.name} was sent without a control URL`);
      try {
        return await send(input, sender, deployment, info);
      } finally {
        await deployment.disarm();
      }
    },
  });
}

/** Sends a request while a fault is armed. `fired`: how often the fault triggered. */
export async function underFault(deployment: Deployment, rule: FaultRule, send: () => Promise<Exchange>) {
  await deployment.arm(rule);
  const exchange = await send();
  const fired = await deployment.triggerCount();
  await deployment.disarm();
  return { exchange, fired };
}

/** The ruling when the armed fault never triggered, so that the answer says nothing; undefined when it did. */
export function inconclusiveIfUntriggered(fault: string, triggerCount: number): Ruling | undefined {
  return triggerCount > 0 ? undefined : inconclusive(`${fault} was armed and did not trigger`);
}
