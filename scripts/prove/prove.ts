import { Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../../suites/kit/profile-file/nearest-names.ts';
import { integer } from '../option-values.ts';
import { noteLine, writeLine } from '../write-line.ts';
import { makeRuns } from './make-runs.ts';
import { problemsOfCatalogue, problemsWith } from './problem-lines.ts';
import { proofOf } from './proof.ts';
import { type ProofJob, proofJobs } from './proof-jobs.ts';
import type { ProofRun } from './prove-world.ts';
import type { ProvedWorld } from './proved-world.ts';
import { publishProof } from './publish-proof.ts';
import { type Size, SIZES } from './size.ts';
import { WORLDS } from './worlds.ts';

const MOST_SEEDS = 1000;

interface Flags {
  readonly seeds: number;
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

const command = new Command('prove')
  .description('Does every check fail where it should, and nowhere else?')
  .option('--seeds <n>', 'seeds from 1 on', integer(1, MOST_SEEDS), 1)
  .option(
    '--size <sizes>',
    `of ${SIZES.join(', ')}; otherwise live, and defects at full size too`,
    sizesNamed,
  )
  .option(
    '--only <worlds>',
    'names of worlds or their beginnings, or a kind such as defect',
    worldsNamed,
    WORLDS,
  )
  .option('--publish', 'write what was proved of these sizes to docs/proof.md and docs/proof.json')
  .parse();

/** What fits a few minutes: every world within the caps of a live target, and every defect at full size. */
function jobsOf({ seeds, size, only }: Flags): readonly ProofJob[] {
  if (size !== undefined) return proofJobs(only, size, seeds);
  const defects = only.filter(({ kind }) => kind === 'defect');
  return [...proofJobs(defects, ['full'], seeds), ...proofJobs(only, ['live'], seeds)];
}

const flags: Flags = command.opts();
if (flags.publish === true && flags.only !== WORLDS)
  command.error('error: a part of the worlds proves nothing: publish without --only', { exitCode: 2 });
const jobs = jobsOf(flags);
const runs: ProofRun[] = [];
let problems = 0;
await makeRuns(jobs, (run) => {
  runs.push(run);
  const lines = run.size === 'unaided' ? [] : problemsWith(run);
  for (const line of lines) writeLine(`✘ ${line}`);
  problems += Number(lines.length > 0);
  if (process.stderr.isTTY || runs.length % 100 === 0) noteLine(`${runs.length} of ${jobs.length} runs`);
});

const proof = proofOf(runs);
const ofCatalogue = flags.only === WORLDS ? problemsOfCatalogue(proof) : [];
for (const line of ofCatalogue) writeLine(`✘ ${line}`);
if (flags.publish === true) publishProof(proof);
writeLine(`${runs.length - problems} proved, ${problems + ofCatalogue.length} not`);
process.exitCode = problems + ofCatalogue.length > 0 ? 1 : 0;
