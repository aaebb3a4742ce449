import { EXIT, interruptible } from '../cli/terminal/exit.ts';
import { noteLine, writeLine } from '../cli/terminal/output.ts';
import { needlessBlames, problemsOf, problemsOfCatalogue } from './problems.ts';
import { proveOptions } from './prove-options.ts';
import { type Job, type ProofRun, Threads } from './threads.ts';
import { RUN_SIZES, type RunSize, type World } from './world.ts';
import { WORLDS } from './worlds.ts';

/** Runs under way at once in each thread: they mostly wait, for the time that a model takes. */
const IN_EACH = 14;

/** Those by the clock wait for nearly all of their time. */
const TIMED_IN_EACH = 40;

/** Proved at full size in any case: both services as they are out of the box, and one whose leniency few runs observe. */
const AT_FULL_SIZE_TOO: ReadonlySet<string> = new Set(['mock', 'second-service', 'lenient-about-messages']);

const { seeds, size, only } = proveOptions();
const { signal, release } = interruptible(() => noteLine('Interrupted: finishing the runs under way.'));
const threads = new Threads();
const runs = await proveAll();
await threads.close();
release();

const ofRuns = runs.map(problemsOf).filter((problems) => problems.length > 0);
const ofCatalogue = only === WORLDS && !signal.aborted ? problemsOfCatalogue(runs) : [];
for (const problem of [...ofRuns.flat(), ...ofCatalogue]) writeLine(`✘ ${problem}`);
const problems = ofRuns.length + ofCatalogue.length;
writeLine(`${runs.length - ofRuns.length} proved, ${problems} not`);
if (signal.aborted) process.exitCode = EXIT.interrupted;
else process.exitCode = problems > 0 ? EXIT.violations : EXIT.conformant;

/** First what takes work, then what hangs on the clock, and last what only a larger run can show, or one on an idle machine. */
async function proveAll(): Promise<readonly ProofRun[]> {
  const [timed, others] = [only.filter(({ isTimed }) => isTimed), only.filter(({ isTimed }) => !isTimed)];
  const first = [...(await prove(jobsFor(others), IN_EACH)), ...(await prove(jobsFor(timed), TIMED_IN_EACH))];
  if (only !== WORLDS || size !== undefined) return first;
  const larger = await prove(largerJobs(first), IN_EACH);
  const alone = await prove(largerJobs([...first, ...larger]), 1);
  return [...first, ...larger, ...alone];
}

/** A larger run against each defect whose runs did not need all that its `alsoBlamed` allows. */
function largerJobs(made: readonly ProofRun[]): readonly Job[] {
  const names = new Set(needlessBlames(made).map(([defect]) => defect));
  return [...names].map((world) => ({ world, size: 'full', seed: 1 }));
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
async function prove(jobs: readonly Job[], inEach: number): Promise<readonly ProofRun[]> {
  const onEnd = (count: number): void => {
    if (process.stderr.isTTY || count % 100 === 0) noteLine(`${count} of ${jobs.length} runs`);
  };
  const made = await threads.make(jobs, { inEach, onEnd, signal });
  const doubtful = made.filter((run) => problemsOf(run).length > 0);
  // So many are not the fault of a busy machine.
  if (signal.aborted || doubtful.length > Math.max(20, jobs.length / 100)) return made;
  for (const problem of doubtful.flatMap(problemsOf)) noteLine(`Once more, alone: ${problem}`);
  const alone = await threads.make(doubtful, { inEach: 1, threads: 1 });
  return [...made.filter((run) => !doubtful.includes(run)), ...alone];
}
