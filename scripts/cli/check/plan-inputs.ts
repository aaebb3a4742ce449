import type { PlanOptions } from '../../../suites/kit/planning/spending-plan.ts';
import { KEY_NAMES } from '../../../suites/kit/model/exchange.ts';
import type { CheckOptions } from './check-options.ts';

/** What is known of a run before its target is asked; the mock that comes with the command has every key. */
export function planInputs({ run: options, destination, profile }: CheckOptions): PlanOptions {
  if (destination.kind === 'mock')
    return { ...options, kind: 'mock', profile, keys: new Set(KEY_NAMES), control: true };
  const { keys, control } = destination;
  return {
    ...options,
    kind: 'live',
    profile,
    keys: new Set(KEY_NAMES.filter((name) => keys[name] !== undefined)),
    control: control !== undefined,
  };
}
