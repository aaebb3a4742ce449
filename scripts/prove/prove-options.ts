import { Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../../suites/kit/profile-file/nearest-names.ts';
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
  readonly only: readonly ProvedWorld[];
  readonly publish?: true;
}

/** Names, kinds, and beginnings of names. */
function worldsNamed(words: string): readonly ProvedWorld[] {
  return words.split(',').flatMap((word) => {
    const found = WORLDS.filter(({ name, kind }) => kind === word || name.startsWith(word));
    if (found.length > 0) return found;
    const known = WORLDS.map(({ name }) => name);
    throw new InvalidArgumentError(`no world is called "${word}"${didYouMean(word, known)}`);
  });
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
    .option('--only <worlds>', 'beginnings of names, or kinds such as defect (default: all)', worldsNamed)
    .option('--publish', 'write what was proved of these sizes to docs/proof.md and docs/proof.json')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
  const { only = WORLDS, ...options }: Omit<ProveOptions, 'only'> & Partial<ProveOptions> = command.opts();
  if (options.publish === true && only !== WORLDS)
    command.error('error: a part of the worlds proves nothing: publish without --only');
  return { ...options, only };
}
