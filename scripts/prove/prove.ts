import { EXIT } from '../exit.ts';
import { interruptible } from '../interruption.ts';
import { noteLine, writeLine } from '../write-line.ts';
import { measuredHeldOut } from './held-out/measured-held-out.ts';
import { makeRuns, makeRunsAlone } from './make-runs.ts';
import { problemsOfCallers, problemsOfCatalogue, problemsWith } from './problem-lines.ts';
import { type ProofJob, proofJobs } from './proof-jobs.ts';
import { proveCallers } from './prove-callers.ts';
import { proveOptions, type ProveOptions } from './prove-options.ts';
import { EVERYTHING } from './proved-named.ts';
import type { ProofRun } from './prove-world.ts';
import { publishProof } from './publish-proof.ts';
import { wholeProof } from './whole-proof.ts';

/** What fits a few minutes: every world within the caps of a live target, and every defect at full size. */
function jobsOf({ seeds, size, only }: ProveOptions): readonly ProofJob[] {
  const { worlds } = only;
  if (size !== undefined) return proofJobs(worlds, size, seeds);
  const defects = worlds.filter(({ kind }) => kind === 'defect');
  return [...proofJobs(defects, ['full'], seeds), ...proofJobs(worlds, ['live'], seeds)];
}

/** Any would do: nothing is drawn but names and keys. */
const CALLER_SEED = 7;

const options = proveOptions();
const jobs = jobsOf(options);
const runs: ProofRun[] = [];
let problems = 0;

/** More than these are not the clock's doing. */
const MOST_DOUBTFUL = 20;
const doubtful: ProofRun[] = [];

// What cannot be seen without leave and control is measured, and nobody's fault.
const linesOf = (run: ProofRun): readonly string[] => (run.size === 'unaided' ? [] : problemsWith(run));

function endedBesideOthers(run: ProofRun): void {
  (linesOf(run).length > 0 ? doubtful : runs).push(run);
  const count = runs.length + doubtful.length;
  if (process.stderr.isTTY || count % 100 === 0) noteLine(`${count} of ${jobs.length} runs`);
}

function ended(run: ProofRun): void {
  runs.push(run);
  const lines = linesOf(run);
  for (const line of lines) writeLine(`✘ ${line}`);
  problems += Number(lines.length > 0);
}

const { signal, release } = interruptible(() =>
  noteLine('Finishing what is under way; seeds that are whole count.'),
);
await makeRuns(jobs, endedBesideOthers, signal);
if (doubtful.length > MOST_DOUBTFUL) for (const run of doubtful) ended(run);
else {
  for (const { world, size, seed } of doubtful)
    noteLine(`Once more, alone: ${world} (${size}, seed ${seed})`);
  await makeRunsAlone(doubtful, ended, signal);
}
// Alone: what callers do is told by the clock.
const callers = await proveCallers(options.only.callers, CALLER_SEED, signal);
release();
const ofCallers = problemsOfCallers(callers);
for (const line of ofCallers) writeLine(`✘ ${line}`);

const proof = wholeProof({ jobs, runs, callers, isInterrupted: signal.aborted });
const ofCatalogue = options.only === EVERYTHING && !signal.aborted ? problemsOfCatalogue(proof) : [];
for (const line of ofCatalogue) writeLine(`✘ ${line}`);
if (options.publish === true) {
  if (Object.keys(proof).length > 0) publishProof({ ...proof, heldOut: await measuredHeldOut() });
  else writeLine('Nothing is published: for no seed every world was tried.');
}
const count = problems + ofCallers.length + ofCatalogue.length;
const tried = runs.length + Object.keys(callers).length;
writeLine(`${tried - problems - ofCallers.length} proved, ${count} not`);
if (signal.aborted) process.exitCode = EXIT.interrupted;
else process.exitCode = count > 0 ? EXIT.violations : EXIT.conformant;
