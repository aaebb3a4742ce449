import { ENDPOINTS } from '../../../../fixtures/chats/wire.ts';
import type { Draft, KeyName } from '../../model/exchange.ts';
import { type Stimulus, stimulus, type Trial } from '../../model/stimulus.ts';

/** A GET without a body, once with each of these keys that the run has. */
export function getStimulus(name: string, path: string, keys: readonly KeyName[]): Stimulus {
  return stimulus<Trial, KeyName>({
    name,
    stage: 'free',
    cappedCount: keys.length,
    readsOnly: true,
    inputs: (info) => ({ examples: keys.filter((key) => info.keys.has(key)) }),
    cost: (key) => ({ counterparts: [getDraft(path, key)] }),
    send: async (key, sender) => ({ exchanges: [await sender.sendCounterpart(getDraft(path, key))] }),
  });
}

function getDraft(path: string, name: KeyName): Draft {
  return { method: 'GET', path, credential: { kind: 'key', name } };
}

/** The model list of each key. */
export const modelListings = getStimulus('model-listings', ENDPOINTS.models, ['primary', 'second']);
