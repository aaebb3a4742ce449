import { EXIT } from '../exit.ts';
import { interruptible } from '../interruption.ts';
import { noteLine, writeLine } from '../write-line.ts';
import { makeRuns } from './make-runs.ts';
import { problemsOfCatalogue, problemsWith } from './problem-lines.ts';
import { proofOf } from './proof.ts';
import { type ProofJob, proofJobs, ofWholeSeeds } from './proof-jobs.ts';
import { proveOptions, type ProveOptions } from './prove-options.ts';
import type { ProofRun } from './prove-world.ts';
import { publishProof } from './publish-proof.ts';
import { WORLDS } from './worlds.ts';

/** What fits a few minutes: every world within the caps of a live target, and every defect at full size. */
function jobsOf({ seeds, size, only }: ProveOptions): readonly ProofJob[] {
  if (size !== undefined) return proofJobs(only, size, seeds);
  const defects = only.filter(({ kind }) => kind === 'defect');
  return [...proofJobs(defects, ['full'], seeds), ...proofJobs(only, ['live'], seeds)];
}

const options = proveOptions();
const jobs = jobsOf(options);
const runs: ProofRun[] = [];
let problems = 0;

function ended(run: ProofRun): void {
  runs.push(run);
  // What cannot be seen without leave and control is measured, and nobody's fault.
  const lines = run.size === 'unaided' ? [] : problemsWith(run);
  for (const line of lines) writeLine(`✘ ${line}`);
  problems += Number(lines.length > 0);
  if (process.stderr.isTTY || runs.length % 100 === 0) noteLine(`${runs.length} of ${jobs.length} runs`);
}

const { signal, release } = interruptible(() =>
  noteLine('Finishing what is under way; seeds that are whole count.'),
);
await makeRuns(jobs, ended, signal);
release();

const proof = proofOf(ofWholeSeeds(runs, jobs));
const ofCatalogue = options.only === WORLDS && !signal.aborted ? problemsOfCatalogue(proof) : [];
for (const line of ofCatalogue) writeLine(`✘ ${line}`);
if (options.publish === true) publishProof(proof);
const count = problems + ofCatalogue.length;
writeLine(`${runs.length - problems} proved, ${count} not`);
if (signal.aborted) process.exitCode = EXIT.interrupted;
else process.exitCode = count > 0 ? EXIT.violations : EXIT.conformant;
