import type { Adversary } from './adversary.ts';
import { BROKEN_ADVERSARIES } from './broken-adversaries.ts';
import { STEADY_ADVERSARIES } from './steady-adversaries.ts';

/** Each by its name: what is there where a service should be, for every request or for every chat behind lists. */
export const ADVERSARIES: Readonly<Record<string, Adversary>> = {
  ...STEADY_ADVERSARIES,
  ...BROKEN_ADVERSARIES,
};
