import type { AnswerWords } from '../../../mock-server/answers/answer-schema.ts';
import type { Certified, FaultWords } from '../../../mock-server/faults/rule.ts';
import type { Scenario } from '../../../mock-server/faults/scenario-file.ts';
import type { MockOptions } from '../../../mock-server/start-mock.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import type { World } from '../../../mock-server/world/world.ts';
import type { MockFlags } from '../options/command-tables.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import type { ChosenAnswers } from './answer-options.ts';
import type { LogFormat } from './request-log.ts';
import { certifiedBy, tlsOption, type TlsFlag } from './tls-options.ts';

/**
 * Resolves the flags of `mock`. Flags override the scenario file, and their faults come first.
 * Throws an error of one line given an invalid file or fault.
 */
export async function mockOptions(
  {
    world,
    tls,
    variant = [],
    defect,
    scenario,
    fault = [],
    answer = [],
    controlToken,
    log,
    open = false,
    judge = false,
    ...asked
  }: MockFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<MockOptions> {
  const given = judge ? { ...asked, ...(await judging()) } : asked;
  requireControl(given, { controlToken, open });
  const token = controlToken ?? environment['CHAT_CONTROL_TOKEN'];
  const staged: Scenario = scenario === undefined ? { faults: [] } : await readScenario(scenario);
  const served = { ...staged, ...(await worldOf({ world, scenario, variant }, staged)) };
  const broken = defect === undefined ? {} : await broke(defect, served);
  const rules = await checkedRules({ fault, answer, scenario, staged, tls }, served.world ?? builtInWorld);
  return {
    ...served,
    ...given,
    ...broken,
    ...rules,
    ...(await tlsOption(tls)),
    ...(log !== undefined && (await logging(log))),
    ...(token !== undefined && { controlToken: token }),
  };
}

function requireControl(
  { control }: MockFlags,
  { controlToken, open }: { readonly controlToken: string | undefined; readonly open: boolean },
): void {
  if (control === true) return;
  if (controlToken !== undefined) throw new UsageError('--control-token requires --control');
  if (open) throw new UsageError('--open requires --control');
}

interface GivenWorld {
  readonly world: string | undefined;
  readonly scenario: string | undefined;
  readonly variant: readonly string[];
}

/** The world of its file or of the scenario, with its variants. */
async function worldOf(
  { world, scenario, variant }: GivenWorld,
  staged: Scenario,
): Promise<Pick<MockOptions, 'world'>> {
  if (world !== undefined && 'world' in staged)
    throw new UsageError(`--world cannot be combined with the world in ${scenario}: remove one of them`);
  const own = world === undefined ? {} : { world: await readWorld(world) };
  return { ...own, ...(await varied(variant, { ...staged, ...own })) };
}

interface GivenRules extends Required<Pick<MockFlags, 'fault' | 'answer'>> {
  readonly scenario: string | undefined;
  readonly staged: Scenario;
  readonly tls: TlsFlag;
}

/** Those of the command line, then those of the scenario. Throws a UsageError for one that is wrong in this world. */
async function checkedRules(
  { fault, answer, scenario, staged, tls }: GivenRules,
  world: World,
): Promise<Pick<MockOptions, 'faults' | 'answers'>> {
  const answers = await answering({ lines: answer, scenario, staged: staged.answers }, world);
  const certified = certifiedBy(tls);
  await refuseWrongFaults({ lines: fault, rules: staged.faults, scenario, certified }, world);
  return { faults: [...fault, ...staged.faults], answers };
}

async function logging(format: LogFormat): Promise<Pick<MockOptions, 'requestEnded'>> {
  const { requestLog } = await import('./request-log.ts');
  return { requestEnded: requestLog(format) };
}

async function judging(): Promise<Pick<MockOptions, 'control' | 'witnessed' | 'operations'>> {
  const { JUDGE_OPERATION } = await import('../../caller/judge/judge-sandbox.ts');
  return { control: true, witnessed: true, operations: [JUDGE_OPERATION] };
}

/** Reads and checks the chosen answers only where there are some. */
async function answering(given: ChosenAnswers, world: World): Promise<readonly AnswerWords[]> {
  if (given.lines.length === 0 && given.staged === undefined) return [];
  const { chosenAnswers } = await import('./answer-options.ts');
  return chosenAnswers(given, world);
}

// Loaded only when needed: the schema library would double the time to the first answer.

async function readWorld(path: string): Promise<World> {
  const { readWorldFile } = await import('../../../mock-server/world/world-file.ts');
  return readWorldFile(path, (line) => noteLine(`mock: ${line}`));
}

async function varied(names: readonly string[], { world }: MockOptions): Promise<Pick<MockOptions, 'world'>> {
  if (names.length === 0) return {};
  const { withVariants } = await import('./mock-variants.ts');
  return { world: withVariants(names, world) };
}

async function broke(name: string, { world }: MockOptions): Promise<Pick<MockOptions, 'defect'>> {
  const { defectNamed } = await import('./mock-variants.ts');
  const defect = defectNamed(name);
  if (world !== undefined)
    throw new UsageError('--defect works only with the built-in world: remove the world or variant');
  return { defect };
}

async function readScenario(path: string): Promise<Scenario> {
  const { readScenarioFile } = await import('../../../mock-server/faults/scenario-file.ts');
  return readScenarioFile(path);
}

interface Given {
  /** From the command line, each on one line. */
  readonly lines: readonly string[];
  /** From a scenario file. */
  readonly rules: readonly FaultWords[];
  readonly scenario: string | undefined;
  readonly certified: Certified;
}

/**
 * Refuses an invalid fault rule, or one that could never fire in this world.
 * @throws {UsageError} With the rule, or the file and the place in it.
 */
async function refuseWrongFaults({ lines, rules, scenario, ...given }: Given, world: World): Promise<void> {
  const reach = { ...given, world };
  for (const line of lines)
    await refuse(line, reach, (pointer) => ['--fault', JSON.stringify(line) + (pointer && `: ${pointer}`)]);
  for (const [index, rule] of rules.entries())
    await refuse(rule, reach, (pointer) => [`${scenario}:`, `/faults/${index}${pointer}`]);
}

async function refuse(
  rule: FaultWords,
  { world, certified }: { readonly world: World; readonly certified: Certified },
  place: (pointer: string) => readonly string[],
): Promise<void> {
  const { compileFaults } = await import('../../../mock-server/faults/compile-rules.ts');
  const { FaultPlanError } = await import('../../../mock-server/faults/rule.ts');
  const { jsonPointer } = await import('../../../mock-server/protocol/service-error.ts');
  try {
    compileFaults([rule], world, certified);
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error;
    throw new UsageError(`${place(jsonPointer(error.path.slice(1))).join(' ')}: ${error.problem}`);
  }
}
