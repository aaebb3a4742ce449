import { Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../../suites/kit/files/did-you-mean.ts';
import { integer, commaSeparated, wordsOf } from '../cli/options/option-values.ts';
import type { ProofCaller } from './callers/proof-caller.ts';
import { PROOF_CALLERS } from './callers/proof-callers.ts';
import type { ProofWorld } from './model/proof-world.ts';
import { RUN_SIZES, type RunSize } from './proof-run.ts';
import { WORLDS } from './worlds.ts';

/** What to prove: the suites with worlds, and the judge of callers with callers. */
export interface ProofSubjects {
  readonly worlds: readonly ProofWorld[];
  readonly callers: readonly ProofCaller[];
}

export const ALL_SUBJECTS: ProofSubjects = { worlds: WORLDS, callers: PROOF_CALLERS };

const NONE: ProofSubjects = { worlds: [], callers: [] };

export interface ProveOptions {
  readonly seeds: number;
  /** Absent: every world at live size, and the defects at full size as well. */
  readonly size?: readonly RunSize[];
  readonly only: ProofSubjects;
}

const MAX_SEEDS = 1000;

/** Reads the arguments of this process. If they are wrong, prints one line and ends the process with 2. */
export function proveOptions(): ProveOptions {
  const { only = ALL_SUBJECTS, ...options } = new Command('prove')
    .usage('[options]')
    .description(
      'Runs the suites against services whose verdicts are known: every defect must be blamed for the clauses that it\n' +
        'breaks and for no others, and every faithful service must pass. The judge of callers is proved in the same way.',
    )
    .option('--seeds <n>', 'run with the seeds from 1 to n', integer(1, MAX_SEEDS), 1)
    .option(
      '--size <sizes>',
      `how much each run sends: ${RUN_SIZES.join(', ')} (default: live, and full as well for defects)`,
      (text: string, before?: readonly RunSize[]) => [...new Set(wordsOf(RUN_SIZES)(text, before))],
    )
    .option(
      '--only <names>',
      'names or how they begin, or kinds: defect, combined, adversary, variant, second-service, broken-caller, doubtful-caller, faithful-caller (default: all)',
      subjectsNamed,
    )
    .addHelpText('after', '\nExit codes: 0 all proved, 1 not all proved, 2 wrong usage, 130 interrupted')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<Omit<ProveOptions, 'only'> & Partial<ProveOptions>>();
  return { ...options, only };
}

/** Parses names, beginnings of names and kinds. What each of them matches is added, once, to what was named before. */
export function subjectsNamed(text: string, before: ProofSubjects = NONE): ProofSubjects {
  const named = commaSeparated(text);
  for (const word of named) refuseUnknown(word);
  const isNamed = (one: Subject): boolean => named.some((word) => matches(word, one));
  return {
    worlds: WORLDS.filter((one) => before.worlds.includes(one) || isNamed(one)),
    callers: PROOF_CALLERS.filter((one) => before.callers.includes(one) || isNamed(one)),
  };
}

type Subject = Pick<ProofWorld | ProofCaller, 'name' | 'kind'>;

function matches(word: string, { name, kind }: Subject): boolean {
  return kind === word || name.startsWith(word);
}

function refuseUnknown(word: string): void {
  const all: readonly Subject[] = [...WORLDS, ...PROOF_CALLERS];
  if (all.some((one) => matches(word, one))) return;
  const names = all.map(({ name }) => name);
  throw new InvalidArgumentError(`nothing is called "${word}"${didYouMean(word, names)}`);
}
