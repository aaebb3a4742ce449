import { Command } from 'commander';
import { integer, names, wordsOf } from '../cli/options/kinds.ts';
import { EXIT, noteLine, writeLine } from '../cli/terminal/terminal.ts';
import { needlessBlames, problemsOf, problemsOfCatalogue } from './problems.ts';
import { type Job, type ProofRun, RUN_SIZES, type RunSize, type World } from './proof-run.ts';
import { ProofThreads } from './threads.ts';
import { WORLDS, worldsNamed } from './worlds.ts';

/** Runs under way at once in each thread: they mostly wait, for the time that a model takes, or for a timeout. */
const IN_EACH = 16;

/**
 * Proved at full size in any case: both services as they are out of the box, and those that fill open points as no other
 * does, since the caps of a live target may leave these out on a busy machine.
 */
const AT_FULL_SIZE_TOO: ReadonlySet<string> = new Set([
  'mock',
  'second-service',
  'lenient-about-messages',
  'any-temperature',
  'max-tokens-from-0',
  'null-is-absent',
]);

interface Options {
  readonly seeds: number;
  /** Absent: what the gate of CI runs. */
  readonly size?: readonly RunSize[];
  /** Absent: all. */
  readonly only?: readonly World[];
}

const { seeds, size, only } = new Command('prove')
  .usage('[options]')
  .description(
    'Runs the suites against services whose verdicts are known: every defect must be blamed for the clauses that it\n' +
      'breaks and for no others, and every faithful service must pass. The judge of callers is proved in the same way.',
  )
  .option('--seeds <n>', 'run with the seeds from 1 to n', integer(1, 1000).parse, 1)
  .option(
    '--size <sizes>',
    `how much each run against a service sends: ${RUN_SIZES.join(', ')} (default: live, and full where that proves more)`,
    (text: string, before?: readonly RunSize[]) => [...new Set(wordsOf(RUN_SIZES).parse(text, before))],
  )
  .option(
    '--only <names>',
    `names or how they begin, or kinds: ${[...new Set(WORLDS.map(({ kind }) => kind))].join(', ')} (default: all)`,
    (text: string, before?: readonly World[]) => [...(before ?? []), ...worldsNamed(names.parse(text))],
  )
  .addHelpText('after', '\nExit codes: 0 all proved, 1 not all proved, 2 wrong usage')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Options>();

const isGate = only === undefined && size === undefined;
const threads = new ProofThreads();
const runs = await proveAll([...new Set(only ?? WORLDS)]);
await threads.close();
const ofRuns = runs.map(problemsOf).filter((problems) => problems.length > 0);
const ofCatalogue = only === undefined ? problemsOfCatalogue(runs) : [];
for (const problem of [...ofRuns.flat(), ...ofCatalogue]) writeLine(`✘ ${problem}`);
const problems = ofRuns.length + ofCatalogue.length;
writeLine(`${runs.length - ofRuns.length} proved, ${problems} not`);
process.exitCode = problems > 0 ? EXIT.violations : EXIT.conformant;

/** First what takes work, then what hangs on the clock, and last what only a larger run can show, or one on an idle machine. */
async function proveAll(worlds: readonly World[]): Promise<readonly ProofRun[]> {
  const made = [
    ...(await prove(jobsFor(worlds.filter((world) => !isTimed(world))))),
    ...(await prove(jobsFor(worlds.filter(isTimed)))),
  ];
  for (const inEach of isGate ? [IN_EACH, 1] : []) made.push(...(await prove(largerJobs(made), inEach)));
  return made;
}

/** Whether its verdicts hang on the clock: those on callers do, and a stream is seen to trickle only by the clock. */
function isTimed({ kind, expected }: World): boolean {
  return kind.endsWith('caller') || expected.breaks.includes('STR-2');
}

/** A larger run against each defect whose runs did not need all that its `alsoBlamed` allows. */
function largerJobs(made: readonly ProofRun[]): readonly Job[] {
  const needless = new Set(needlessBlames(made).map(([defect]) => defect));
  return [...needless].map((world) => ({ world, size: 'full', seed: 1 }));
}

function jobsFor(worlds: readonly World[]): readonly Job[] {
  return Array.from({ length: seeds }, (_, index) => index + 1).flatMap((seed) =>
    worlds.flatMap((world) => sizesOf(world).map((each) => ({ world: world.name, size: each, seed }))),
  );
}

/** A caller's scenarios say how much it sends, whatever the size. */
function sizesOf({ name, kind }: World): readonly RunSize[] {
  if (kind.endsWith('caller')) return ['live'];
  return size ?? (AT_FULL_SIZE_TOO.has(name) ? RUN_SIZES : ['live']);
}

/** Makes the runs side by side, and those with problems once more by themselves: a busy machine disturbs timings. */
async function prove(jobs: readonly Job[], inEach = IN_EACH): Promise<readonly ProofRun[]> {
  let count = 0;
  const onEnd = (): void => {
    count += 1;
    if (process.stderr.isTTY || count % 100 === 0) noteLine(`${count} of ${jobs.length} runs`);
  };
  const made = await threads.make(jobs, inEach, onEnd);
  const doubtful = made.filter((run) => problemsOf(run).length > 0);
  // So many are not the fault of a busy machine.
  if (doubtful.length > Math.max(20, jobs.length / 100)) return made;
  for (const problem of doubtful.flatMap(problemsOf)) noteLine(`Once more, alone: ${problem}`);
  const alone = await threads.make(doubtful, 1, undefined, 1);
  return [...made.filter((run) => !doubtful.includes(run)), ...alone];
}
