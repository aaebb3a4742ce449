import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../../suites/kit/files/did-you-mean.ts';
import type { ProofCaller } from './callers/proof-caller.ts';
import { PROOF_CALLERS } from './callers/proof-callers.ts';
import { words } from '../cli/options/option-values.ts';
import type { ProvedWorld } from './proved-world.ts';
import { WORLDS } from './worlds.ts';

/** What is proved: services, of which the suites judge, and callers, of which the judge of callers does. */
export interface Proved {
  readonly worlds: readonly ProvedWorld[];
  readonly callers: readonly ProofCaller[];
}

export const EVERYTHING: Proved = { worlds: WORLDS, callers: PROOF_CALLERS };

const NOTHING: Proved = { worlds: [], callers: [] };

/** Parses names, kinds, and beginnings of names: what any of them means, each once, beside what was named before. */
export function provedNamed(text: string, before: Proved = NOTHING): Proved {
  const named = words(text);
  for (const word of named) refuseUnknown(word);
  const isNamed = (one: Named): boolean => named.some((word) => isMeant(word, one));
  return {
    worlds: WORLDS.filter((one) => before.worlds.includes(one) || isNamed(one)),
    callers: PROOF_CALLERS.filter((one) => before.callers.includes(one) || isNamed(one)),
  };
}

type Named = Pick<ProvedWorld | ProofCaller, 'name' | 'kind'>;

function isMeant(word: string, { name, kind }: Named): boolean {
  return kind === word || name.startsWith(word);
}

function refuseUnknown(word: string): void {
  const all: readonly Named[] = [...WORLDS, ...PROOF_CALLERS];
  if (all.some((one) => isMeant(word, one))) return;
  const known = all.map(({ name }) => name);
  throw new InvalidArgumentError(`nothing is called "${word}"${didYouMean(word, known)}`);
}
