import type { KeyName } from '../exchange.ts';
import { type Stimulus, stimulus } from '../stimulus.ts';
import type { Trial } from '../trial.ts';

/** A GET without payload, once with each of these keys that is at hand. */
export function gets(name: string, path: string, keys: readonly KeyName[]): Stimulus {
  return stimulus<Trial, KeyName>({
    name,
    stage: 'free',
    few: keys.length,
    readsOnly: true,
    inputs: (survey) => ({ first: keys.filter((key) => survey.keys.has(key)) }),
    send: async (key, sender) => {
      const credential = { kind: 'key', name: key } as const;
      return { exchanges: [await sender.control({ method: 'GET', path, credential })] };
    },
  });
}
