import { EXIT, interruptible } from '../cli/terminal/exit.ts';
import { noteLine, writeLine } from '../cli/terminal/output.ts';
import { makeRuns, type ProofJob, proofJobs } from './proof-jobs.ts';
import { needlessBlames, problemsOfCallers, problemsOfCatalogue, problemsOfRun } from './proof-problems.ts';
import type { ProofRun } from './proof-run.ts';
import { proveCallers } from './prove-callers.ts';
import { ALL_SUBJECTS, proveOptions, type ProveOptions } from './prove-options.ts';

const options = proveOptions();
const { signal, release } = interruptible(() => noteLine('Interrupted: finishing the runs under way.'));
const runs = await proveWorlds(jobsFor(options), signal);
// By themselves: what callers do depends on timing.
const callers = await proveCallers(options.only.callers, options.seeds, signal);
release();

const ofRuns = runs.map(problemsOfRun).filter((problems) => problems.length > 0);
const ofCallers = problemsOfCallers(callers);
const isWhole = options.only === ALL_SUBJECTS && !signal.aborted;
const ofCatalogue = isWhole ? problemsOfCatalogue([...runs, ...(await rerunUnblamed(runs))]) : [];
for (const problem of [...ofRuns.flat(), ...ofCallers, ...ofCatalogue]) writeLine(`✘ ${problem}`);

const failed = ofRuns.length + ofCallers.length;
const problems = failed + ofCatalogue.length;
writeLine(`${runs.length + callers.length - failed} proved, ${problems} not`);
if (signal.aborted) process.exitCode = EXIT.interrupted;
else process.exitCode = problems > 0 ? EXIT.violations : EXIT.conformant;

/** Without `--size`, what fits in some minutes: every world at live size, and the defects at full size as well. */
function jobsFor({ seeds, size, only: { worlds } }: ProveOptions): readonly ProofJob[] {
  if (size !== undefined) return proofJobs(worlds, size, seeds);
  const uncapped = worlds.filter(({ kind, name }) => kind === 'defect' || name === 'mock');
  return [...proofJobs(uncapped, ['full'], seeds), ...proofJobs(worlds, ['live'], seeds)];
}

/** Runs each defect alone whose `alsoBlamed` no run seemed to need: a busy machine may have cut its runs short. */
async function rerunUnblamed(made: readonly ProofRun[]): Promise<readonly ProofRun[]> {
  const again: ProofRun[] = [];
  const names = new Set(needlessBlames(made).map(([defect]) => defect));
  const jobs = made.filter(({ world }) => names.has(world));
  await makeRuns(jobs, (run) => again.push(run), undefined, 1);
  return again;
}

/** Makes the runs side by side, and those with problems once more by themselves: a busy machine disturbs timings. */
async function proveWorlds(jobs: readonly ProofJob[], stop: AbortSignal): Promise<readonly ProofRun[]> {
  const sound: ProofRun[] = [];
  const doubtful: ProofRun[] = [];
  await makeRuns(
    jobs,
    (run) => {
      (problemsOfRun(run).length > 0 ? doubtful : sound).push(run);
      const count = sound.length + doubtful.length;
      if (process.stderr.isTTY || count % 100 === 0) noteLine(`${count} of ${jobs.length} runs`);
    },
    stop,
  );
  // So many are not the fault of a busy machine.
  if (doubtful.length > Math.max(20, jobs.length / 100)) return [...sound, ...doubtful];
  for (const problem of doubtful.flatMap(problemsOfRun)) noteLine(`Once more, alone: ${problem}`);
  await makeRuns(doubtful, (run) => sound.push(run), undefined, 1);
  return sound;
}
