import type { AnswerWords } from '../../../mock-server/answers/answer-schema.ts';
import type { DefectName } from '../../../mock-server/defects/defects.ts';
import type { FaultWords } from '../../../mock-server/faults/compile-faults.ts';
import type { Scenario } from '../../../mock-server/faults/scenario-file.ts';
import { InputError } from '../../../mock-server/input/input-error.ts';
import { jsonPointer } from '../../../mock-server/protocol/service-error.ts';
import type { MockOptions } from '../../../mock-server/start-mock.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import type { WorldPart, World } from '../../../mock-server/world/world-schema.ts';
import { readText } from '../../../suites/engine/text/read-json-file.ts';
import type { MockFlags } from '../options/command-tables.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';

// Schemas, certificates and judges are imported only where a flag needs them: the schema library would double the time
// to the first answer.

/**
 * Resolves the flags of `mock`. Flags override the scenario file, and their rules come first.
 * Throws an error of one line given an invalid file or rule.
 */
export async function mockOptions(
  flags: MockFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<MockOptions> {
  const { port, host, latency, latencyPerToken, judge = false, control = judge, log } = flags;
  if (!control && flags.controlToken !== undefined)
    throw new UsageError('--control-token requires --control');
  if (!control && flags.open === true) throw new UsageError('--open requires --control');
  const controlToken = flags.controlToken ?? environment['CHAT_CONTROL_TOKEN'];
  const staged = await scenarioOf(flags);
  const { seed = staged.seed } = flags;
  const world = await worldOf(flags, staged);
  const defect = await defectOf(flags, staged);
  const answers = await answersOf(flags, staged, world);
  const faults = await faultsOf(flags, staged, world);
  const tls = await certificateOf(flags);
  return {
    control,
    faults,
    answers,
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(latency !== undefined && { latency }),
    ...(latencyPerToken !== undefined && { latencyPerToken }),
    ...(seed !== undefined && { seed }),
    ...(world !== undefined && { world }),
    ...(defect !== undefined && { defect }),
    ...(tls !== undefined && { tls }),
    ...(controlToken !== undefined && { controlToken }),
    ...(judge && (await judging())),
    ...(log !== undefined && { requestEnded: (await import('./request-log.ts')).requestLog(log) }),
  };
}

async function judging(): Promise<Pick<MockOptions, 'witnessed' | 'operations'>> {
  const { JUDGE_OPERATION } = await import('../../caller/judge/judge-sandbox.ts');
  return { witnessed: true, operations: [JUDGE_OPERATION] };
}

async function scenarioOf({ scenario }: MockFlags): Promise<Scenario> {
  if (scenario === undefined) return { faults: [] };
  const { readScenarioFile } = await import('../../../mock-server/faults/scenario-file.ts');
  return readScenarioFile(scenario);
}

/** The world of its file or of the scenario, with its variants and options; undefined: the built-in world. */
export async function worldOf(flags: MockFlags, staged: Scenario): Promise<World | undefined> {
  const { world: file, scenario, variant = [] } = flags;
  if (file !== undefined && staged.world !== undefined)
    throw new UsageError(`--world cannot be combined with the world in ${scenario}: remove one of them`);
  const given = file === undefined ? staged.world : await readWorldFile(file);
  const world =
    variant.length === 0 ? given : (await import('./mock-variants.ts')).withVariants(variant, given);
  const part = partOf(flags, world);
  if (Object.keys(part).length === 0) return world;
  const { checkWorld } = await import('../../../mock-server/world/check-world.ts');
  try {
    return checkWorld(part, world).world;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [list = ''] = error.path;
    throw new UsageError(`${FLAG_OF[list] ?? list}: ${error.problem}`);
  }
}

async function readWorldFile(file: string): Promise<World> {
  const { readWorld } = await import('../../../mock-server/world/world-file.ts');
  return readWorld(file, { warn: (line) => noteLine(`mock: ${line}`) });
}

/** The options that can be wrong only as part of a world. */
const FLAG_OF: Readonly<Record<string, string>> = { clock: '--clock', keys: '--key', models: '--model' };

/** Of a model of which only the ID is known: more context than most chats need, and the price of the cheapest one. */
const NAMED_MODEL = { contextTokens: 131_072, price: { input: 1, output: 2 } };

/** What the options say of a world. */
function partOf(
  { credits, concurrency, clock, model = [], key }: MockFlags,
  { workspaces, keys: [first], models }: World = builtInWorld,
): WorldPart {
  const unknown = model.filter((id) => models.every((known) => known.id !== id));
  const name = first?.name ?? '';
  return {
    ...(credits !== undefined && {
      workspaces: Object.fromEntries(workspaces.map(({ id }) => [id, { credits }])),
    }),
    ...(concurrency !== undefined && { limits: { concurrency } }),
    ...(clock !== undefined && { clock }),
    ...(unknown.length > 0 && { models: Object.fromEntries(unknown.map((id) => [id, NAMED_MODEL])) }),
    ...(key === 'any' && { anyKey: name }),
    ...(key !== undefined && key !== 'any' && { keys: { [name]: { key } } }),
  };
}

async function defectOf(
  { defect: name, world, variant = [] }: MockFlags,
  staged: Scenario,
): Promise<DefectName | undefined> {
  if (name === undefined) return undefined;
  const { defectNamed } = await import('./mock-variants.ts');
  const defect = defectNamed(name);
  if (world !== undefined || staged.world !== undefined || variant.length > 0)
    throw new UsageError('--defect works only with the built-in world: remove the world or variant');
  return defect;
}

/** Throws a UsageError for a wrong rule, or one that is for no request of this world. */
async function answersOf(
  { answer: lines = [], scenario }: MockFlags,
  { answers: staged = [] }: Scenario,
  world: World = builtInWorld,
): Promise<readonly AnswerWords[]> {
  if (lines.length + staged.length === 0) return [];
  const { readAnswers } = await import('../../../mock-server/answers/answer-files.ts');
  const { compileAnswers } = await import('../../../mock-server/answers/compile-answers.ts');
  try {
    const answers = [...readAnswers(lines, '.'), ...staged];
    compileAnswers(answers, world);
    return answers;
  } catch (error) {
    throw placed(error, ['answer', lines], `${scenario}: /answers`);
  }
}

/** Throws a UsageError for a wrong rule, or one that could never trigger in this world. */
async function faultsOf(
  { fault: lines = [], scenario, tls }: MockFlags,
  { faults: staged }: Scenario,
  world: World = builtInWorld,
): Promise<readonly FaultWords[]> {
  const faults = [...lines, ...staged];
  if (faults.length === 0) return [];
  const { compileFaults } = await import('../../../mock-server/faults/compile-faults.ts');
  try {
    compileFaults(faults, world, typeof tls === 'string' ? 'given' : tls && 'own');
    return faults;
  } catch (error) {
    throw placed(error, ['fault', lines], `${scenario}: /faults`);
  }
}

/** The error of a rule, with the line of its option, or with the place in the scenario, whose rules follow the lines. */
function placed(
  error: unknown,
  [option, lines]: readonly [string, readonly string[]],
  file: string,
): unknown {
  if (!(error instanceof InputError)) return error;
  const [index, ...path] = error.path;
  const pointer = jsonPointer(path);
  const line = lines[Number(index)];
  const place =
    line === undefined
      ? `${file}/${Number(index) - lines.length}${pointer}`
      : `--${option} ${JSON.stringify(line)}${pointer && `: ${pointer}`}`;
  return new UsageError(`${place}: ${error.problem}`);
}

/** Throws a UsageError for files that are no certificate with its key. */
async function certificateOf({ tls }: MockFlags): Promise<MockOptions['tls']> {
  if (tls === undefined || tls === true) return tls;
  const [certFile = '', keyFile = certFile] = tls.split(',');
  const given = { cert: readPem(certFile), key: readPem(keyFile) };
  const { givenCertificate } = await import('../../../mock-server/tls/certificates.ts');
  try {
    givenCertificate(given);
    return given;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--tls ${tls}: no certificate with its key, as PEM (${reason})`);
  }
}

function readPem(path: string): string {
  try {
    return readText(path);
  } catch {
    throw new UsageError(`--tls: cannot read ${JSON.stringify(path)}`);
  }
}
