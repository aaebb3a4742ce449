import { hash } from 'node:crypto';

import type { Key } from '../world/world.ts';

const KEY_LENGTH = 40;

/** The keys of a sandbox: of the same names and rights, and opening nothing but this sandbox. */
export function sandboxKeys(keys: readonly Key[], seed: number, sandbox: string): readonly Key[] {
  return keys.map((key) => {
    const digest = hash('sha256', `${seed}\n${sandbox}\n${key.name}`, 'hex');
    return { ...key, key: `mock-${digest.slice(0, KEY_LENGTH)}` };
  });
}
