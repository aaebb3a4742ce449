import { DELIVERY_FAULTS } from './kinds/delivery-faults.ts';
import { LOSSES } from './kinds/losses.ts';
import { REFUSALS } from './kinds/refusals.ts';

/** Every fault by its name: where it can strike, and what can be said about it. */
export const FAULTS = { ...REFUSALS, ...LOSSES, ...DELIVERY_FAULTS };

/** With which a request can ask for a fault itself, where the world of the mock allows it. */
export const FAULT_HEADER = 'x-mock-fault';

/** What stands before the fault in a reserved model ID, for clients that can change nothing else. */
export const FAULT_MODEL_PREFIX = 'fault:';

export type FaultName = keyof typeof FAULTS;

export function isFaultName(word: string): word is FaultName {
  return Object.hasOwn(FAULTS, word);
}
