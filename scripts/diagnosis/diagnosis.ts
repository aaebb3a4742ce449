import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import {
  bugsIn,
  type KnownBug,
  readSignatureFile,
  SIGNATURE_FILE,
  type SignatureFile,
} from '../../suites/kit/diagnosis/signature.ts';
import { integer } from '../cli/options/option-values.ts';
import { noteLine, writeLine } from '../cli/terminal/output.ts';
import {
  combinedDefects,
  defectsInOtherWays,
  secondServiceDefects,
  singleDefects,
} from './diagnosed-services.ts';
import { learnSignatures, signatureText } from './learn-signatures.ts';
import {
  type DiagnosedRun,
  type DiagnosisMeasure,
  MEASURE_FILE,
  type Measure,
  measure,
  measureUnknown,
} from './measure.ts';
import { recordedRuns, makeSymptomRuns, type SymptomJob, type SymptomRun } from './symptom-run.ts';

/** Those of the signatures are the first ones. */
const MEASURED_SEED = 1001;

interface Options {
  readonly seeds: number;
  readonly learn?: boolean;
  readonly only?: string;
  readonly measure?: boolean;
  readonly journals?: string;
}

const { seeds, ...options } = new Command('signatures')
  .description(
    'Makes the signatures of the known bugs, by which reports name likely causes, from runs against the mock with each of\n' +
      'its defects; and measures the diagnosis on services that the signatures were not made from. Does both unless told.',
  )
  .option('--seeds <n>', 'learn from the seeds from 1 to n', integer(1, 20), 3)
  .option('--learn', 'only make the signatures')
  .option(
    '--only <beginnings>',
    'only learn of the defects whose names begin so, separated by commas, and keep the others',
  )
  .option('--measure', 'only measure: on other services, and on defects whose own signature is taken away')
  .option(
    '--journals <file>',
    'only measure on recorded runs: a JSON file of { "NAME": { "journal": PATH, "bugs": [["DEFECT", …], …] } }',
  )
  .parse()
  .opts<Options>();

if (options.journals !== undefined) print('recorded runs', recordedRuns(options.journals));
else {
  if (options.measure !== true) await learn();
  if (options.learn !== true && options.only === undefined) await publish();
}

async function learn(): Promise<void> {
  const numbers = Array.from({ length: seeds }, (_, i) => i + 1);
  const runs = await made('runs to learn from', numbers.flatMap(singleDefects).filter(isToLearn));
  const kept = options.only === undefined ? undefined : keptSignatures();
  writeFileSync(SIGNATURE_FILE, signatureText(learnSignatures(runs, numbers, kept)));
  writeLine(`Written: suites/kit/diagnosis/signatures.json (${readFileSync(SIGNATURE_FILE).length} bytes)`);
}

function isToLearn({ world: { name } }: SymptomJob): boolean {
  return (
    options.only === undefined || options.only.split(',').some((beginning) => name.startsWith(beginning))
  );
}

/** Those of defects that are not learned anew. */
function keptSignatures(): SignatureFile {
  const file = readSignatureFile();
  const learned = new Set(
    singleDefects(1)
      .filter(isToLearn)
      .map(({ world }) => world.name),
  );
  return {
    ...file,
    bugs: Object.fromEntries(Object.entries(file.bugs).filter(([name]) => !learned.has(name))),
  };
}

async function publish(): Promise<void> {
  const ofCombined = await made('services of two to six defects', combinedDefects(MEASURED_SEED));
  const inOtherWays = await made('services of another kind', defectsInOtherWays(MEASURED_SEED));
  const ofSecond = await made('runs of the second service', secondServiceDefects(MEASURED_SEED));
  const measured: Measure = {
    combined: print('services of two to six defects', ofCombined),
    inOtherWays: print('services of another kind', inOtherWays),
    second: print('defects of the second service', ofSecond),
    unknown: measureUnknown(inOtherWays, known(), noteLine),
  };
  writeLine(`defects that are taken for unknown: ${JSON.stringify(measured.unknown)}`);
  writeFileSync(MEASURE_FILE, `${JSON.stringify(measured, undefined, 2)}\n`);
  writeLine('Written: scripts/diagnosis/measured.json; npm run generate puts it into docs/proof.md');
}

function print(what: string, runs: readonly DiagnosedRun[]): DiagnosisMeasure {
  const measured = measure(runs, known(), noteLine);
  writeLine(`${what}: ${JSON.stringify(measured)}`);
  return measured;
}

function known(): readonly KnownBug[] {
  return bugsIn(readSignatureFile());
}

async function made(what: string, jobs: readonly SymptomJob[]): Promise<readonly SymptomRun[]> {
  return makeSymptomRuns(jobs, (done) => {
    if (done % 50 === 0) noteLine(`${done} of ${jobs.length} ${what}`);
  });
}
