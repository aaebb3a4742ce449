import { Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../../suites/kit/files/did-you-mean.ts';
import { integer, names, wordsOf } from '../cli/options/kinds.ts';
import { RUN_SIZES, type RunSize, type World } from './world.ts';
import { WORLDS } from './worlds.ts';

export interface ProveOptions {
  readonly seeds: number;
  /** Absent: what the gate of CI runs. */
  readonly size?: readonly RunSize[];
  readonly only: readonly World[];
}

const MAX_SEEDS = 1000;

/** Reads the arguments of this process. If they are wrong, prints one line and ends the process with 2. */
export function proveOptions(): ProveOptions {
  const { only = WORLDS, ...options } = new Command('prove')
    .usage('[options]')
    .description(
      'Runs the suites against services whose verdicts are known: every defect must be blamed for the clauses that it\n' +
        'breaks and for no others, and every faithful service must pass. The judge of callers is proved in the same way.',
    )
    .option('--seeds <n>', 'run with the seeds from 1 to n', integer(1, MAX_SEEDS).parse, 1)
    .option(
      '--size <sizes>',
      `how much each run against a service sends: ${RUN_SIZES.join(', ')} (default: live, and full where that proves more)`,
      (text: string, before?: readonly RunSize[]) => [...new Set(wordsOf(RUN_SIZES).parse(text, before))],
    )
    .option(
      '--only <names>',
      `names or how they begin, or kinds: ${[...new Set(WORLDS.map(({ kind }) => kind))].join(', ')} (default: all)`,
      worldsNamed,
    )
    .addHelpText('after', '\nExit codes: 0 all proved, 1 not all proved, 2 wrong usage, 130 interrupted')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<Omit<ProveOptions, 'only'> & Partial<ProveOptions>>();
  return { ...options, only };
}

/** Parses names, beginnings of names and kinds. What each of them matches is added, once, to what was named before. */
export function worldsNamed(text: string, before: readonly World[] = []): readonly World[] {
  const named = names.parse(text);
  for (const word of named) {
    const all = WORLDS.map(({ name }) => name);
    if (!WORLDS.some((world) => matches(word, world)))
      throw new InvalidArgumentError(`nothing is called "${word}"${didYouMean(word, all)}`);
  }
  return WORLDS.filter((world) => before.includes(world) || named.some((word) => matches(word, world)));
}

function matches(word: string, { name, kind }: World): boolean {
  return kind === word || name.startsWith(word);
}
