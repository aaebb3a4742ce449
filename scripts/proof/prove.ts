import { EXIT } from '../cli/terminal/exit.ts';
import { interruptible } from '../cli/terminal/interruption.ts';
import { noteLine, writeLine } from '../cli/terminal/write-line.ts';
import { measuredHeldOut } from './held-out/measured-held-out.ts';
import { makeRuns, makeRunsAlone } from './make-runs.ts';
import { problemsOfCallers, problemsOfCatalogue, problemsWith } from './problem-lines.ts';
import { type ProofJob, proofJobs } from './proof-jobs.ts';
import { proveCallers } from './prove-callers.ts';
import { proveOptions } from './prove-options.ts';
import { EVERYTHING } from './proved-named.ts';
import type { ProofRun } from './prove-world.ts';
import { publishProof } from './publish-proof.ts';
import { wholeProof } from './whole-proof.ts';

/** Any would do: nothing is drawn but names and keys. */
const CALLER_SEED = 7;

const { seeds, size, only, publish } = proveOptions();

/** Absent a size what fits a few minutes: every world within the caps of a live target, and every defect at full size. */
function jobsOf(): readonly ProofJob[] {
  if (size !== undefined) return proofJobs(only.worlds, size, seeds);
  const defects = only.worlds.filter(({ kind }) => kind === 'defect');
  return [...proofJobs(defects, ['full'], seeds), ...proofJobs(only.worlds, ['live'], seeds)];
}

const jobs = jobsOf();
const runs: ProofRun[] = [];
let problems = 0;

/** More than these are not the clock's doing. */
const MOST_DOUBTFUL = Math.max(20, Math.ceil(jobs.length / 100));
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
  for (const run of doubtful) noteLine(`Once more, alone: ${run.world} (${run.size}, seed ${run.seed})`);
  await makeRunsAlone(doubtful, ended);
}
// Alone: what callers do is told by the clock.
const callers = await proveCallers(only.callers, CALLER_SEED, signal);
release();
const ofCallers = problemsOfCallers(callers);
for (const line of ofCallers) writeLine(`✘ ${line}`);

const proof = wholeProof({ jobs, runs, callers, isInterrupted: signal.aborted });
const ofCatalogue = only === EVERYTHING && !signal.aborted ? problemsOfCatalogue(proof) : [];
for (const line of ofCatalogue) writeLine(`✘ ${line}`);
const count = problems + ofCallers.length + ofCatalogue.length;
if (publish === true) {
  if (count > 0) writeLine('Nothing is published: correct what went wrong, and prove it again.');
  else if (Object.keys(proof).length > 0) publishProof({ ...proof, heldOut: await measuredHeldOut() });
  else writeLine('Nothing is published: for no seed every world was tried.');
}
const tried = runs.length + Object.keys(callers).length;
writeLine(`${tried - problems - ofCallers.length} proved, ${count} not`);
if (signal.aborted) process.exitCode = EXIT.interrupted;
else process.exitCode = count > 0 ? EXIT.violations : EXIT.conformant;
