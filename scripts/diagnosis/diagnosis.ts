import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { bugsIn, readSignatureFile, SIGNATURE_FILE } from '../../suites/kit/diagnosis/signature.ts';
import { integer } from '../cli/options/option-values.ts';
import { noteLine, writeLine } from '../cli/terminal/output.ts';
import { combinedDefects, singleDefects, secondServiceDefects } from './diagnosed-services.ts';
import { learnSignatures, signatureText } from './learn-signatures.ts';
import { MEASURE_FILE, type Measure, measure, type DiagnosisMeasure } from './measure.ts';
import { makeSymptomRuns, type SymptomJob, type SymptomRun } from './symptom-run.ts';

/** Those of the signatures are the first ones. */
const MEASURED_SEED = 1001;

interface Options {
  readonly seeds: number;
  readonly learn?: boolean;
  readonly measure?: boolean;
}

const { seeds, ...options } = new Command('signatures')
  .description(
    'Makes the signatures of the known bugs, by which reports name likely causes, from runs against the mock with each of\n' +
      'its defects; and measures the diagnosis on services that the signatures were not made from. Does both unless told.',
  )
  .option('--seeds <n>', 'learn from the seeds from 1 to n', integer(1, 20), 3)
  .option('--learn', 'only make the signatures')
  .option('--measure', 'only measure')
  .parse()
  .opts<Options>();

if (options.measure !== true) await learn();
if (options.learn !== true) await publish();

async function learn(): Promise<void> {
  const numbers = Array.from({ length: seeds }, (_, i) => i + 1);
  const runs = await made('runs to learn from', numbers.flatMap(singleDefects));
  writeFileSync(SIGNATURE_FILE, signatureText(learnSignatures(runs, numbers)));
  writeLine(`Written: suites/kit/diagnosis/signatures.json (${readFileSync(SIGNATURE_FILE).length} bytes)`);
}

async function publish(): Promise<void> {
  const measured: Measure = {
    combined: await measuredOn('services of two to six defects', combinedDefects(MEASURED_SEED)),
    second: await measuredOn('defects of the second service', secondServiceDefects(MEASURED_SEED)),
  };
  writeFileSync(MEASURE_FILE, `${JSON.stringify(measured, undefined, 2)}\n`);
  writeLine('Written: scripts/diagnosis/measured.json; npm run generate puts it into docs/proof.md');
}

async function measuredOn(what: string, jobs: readonly SymptomJob[]): Promise<DiagnosisMeasure> {
  const runs = await made(what, jobs);
  const measured = measure(runs, bugsIn(readSignatureFile()), noteLine);
  writeLine(`${what}: ${JSON.stringify(measured)}`);
  return measured;
}

async function made(what: string, jobs: readonly SymptomJob[]): Promise<readonly SymptomRun[]> {
  return makeSymptomRuns(jobs, (done) => {
    if (done % 50 === 0) noteLine(`${done} of ${jobs.length} ${what}`);
  });
}
