import { Command } from 'commander';
import { integer, wordsOf } from '../cli/options/option-values.ts';
import { EVERYTHING, type Proved, provedNamed } from './proved-named.ts';
import { type Size, SIZES } from './size.ts';

const MOST_SEEDS = 1000;

/** What is to be proved. */
export interface ProveOptions {
  readonly seeds: number;
  /** Absent: what fits a few minutes. */
  readonly size?: readonly Size[];
  readonly only: Proved;
  readonly publish?: true;
}

/** Parses sizes, each once, beside those that were named before. */
function sizesNamed(text: string, before?: readonly Size[]): readonly Size[] {
  return [...new Set(wordsOf(SIZES)(text, before))];
}

/** Reads the arguments of this process; ends it with 2 and one line where they are wrong. */
export function proveOptions(): ProveOptions {
  const command = new Command('prove')
    .description('Does every check fail where it should, and nowhere else?')
    .option(
      '--seeds <n>',
      'seeds from 1 on (at full size 5 at most of what has no defect)',
      integer(1, MOST_SEEDS),
      1,
    )
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
