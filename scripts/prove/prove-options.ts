import { Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../../suites/kit/profile-file/nearest-names.ts';
import type { ProofCaller } from '../caller/proof/proof-caller.ts';
import { PROOF_CALLERS } from '../caller/proof/proof-callers.ts';
import { integer } from '../option-values.ts';
import type { ProvedWorld } from './proved-world.ts';
import { type Size, SIZES } from './size.ts';
import { WORLDS } from './worlds.ts';

const MOST_SEEDS = 1000;

/** What is to be proved. */
export interface ProveOptions {
  readonly seeds: number;
  /** Absent: what fits a few minutes. */
  readonly size?: readonly Size[];
  readonly only: Proved;
  readonly publish?: true;
}

/** What is proved: services, of which the suites judge, and callers, of which the judge of callers does. */
export interface Proved {
  readonly worlds: readonly ProvedWorld[];
  readonly callers: readonly ProofCaller[];
}

export const EVERYTHING: Proved = { worlds: WORLDS, callers: PROOF_CALLERS };

/** Names, kinds, and beginnings of names. */
function provedNamed(words: string): Proved {
  const found = words.split(',').map((word) => {
    const isMeant = ({ name, kind }: { readonly name: string; readonly kind: string }): boolean =>
      kind === word || name.startsWith(word);
    const proved = { worlds: WORLDS.filter(isMeant), callers: PROOF_CALLERS.filter(isMeant) };
    if (proved.worlds.length + proved.callers.length > 0) return proved;
    const known = [...WORLDS, ...PROOF_CALLERS].map(({ name }) => name);
    throw new InvalidArgumentError(`nothing is called "${word}"${didYouMean(word, known)}`);
  });
  return {
    worlds: found.flatMap(({ worlds }) => worlds),
    callers: found.flatMap(({ callers }) => callers),
  };
}

function sizesNamed(words: string): readonly Size[] {
  return words.split(',').map((word) => {
    const found = SIZES.find((size) => size === word);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`the sizes are ${SIZES.join(', ')}`);
  });
}

/** Reads the arguments of this process; ends it with 2 and one line where they are wrong. */
export function proveOptions(): ProveOptions {
  const command = new Command('prove')
    .description('Does every check fail where it should, and nowhere else?')
    .option('--seeds <n>', 'seeds from 1 on', integer(1, MOST_SEEDS), 1)
    .option('--size <sizes>', `of ${SIZES.join(', ')}; absent: live, and defects at full size`, sizesNamed)
    .option('--only <names>', 'beginnings of names, or kinds such as defect (default: all)', provedNamed)
    .option('--publish', 'write what was proved of these sizes to docs/proof.md and docs/proof.json')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
  const { only = EVERYTHING, ...options }: Omit<ProveOptions, 'only'> & Partial<ProveOptions> =
    command.opts();
  if (options.publish === true && only !== EVERYTHING)
    command.error('error: a part of the worlds proves nothing: publish without --only');
  return { ...options, only };
}
