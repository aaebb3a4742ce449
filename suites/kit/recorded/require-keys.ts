import type { Exchange } from '../model/exchange.ts';
import type { Keys } from '../model/run.ts';
import { KEY_VARIABLES } from '../sending/key-variables.ts';
import { ReplayError } from './replay-error.ts';

/** @throws {ReplayError} Where one of the requests bore a key that is not at hand. */
export function requireKeys(exchanges: readonly Exchange[], keys: Keys): void {
  for (const { request } of exchanges) {
    const { credential } = request;
    if (credential.kind === 'key' && keys[credential.name] === undefined)
      throw new ReplayError(`it takes the ${credential.name} key (set ${KEY_VARIABLES[credential.name]})`);
  }
}
