import { builtInWorld } from '../mock-server/built-in-world.ts';
import type { Scenario } from '../mock-server/scenario-file.ts';
import type { MockOptions } from '../mock-server/start-mock.ts';
import type { World } from '../mock-server/world.ts';
import { refuseWrongFaults } from './refuse-wrong-faults.ts';
import { UsageError } from './usage-error.ts';

/** What the command line can say of a mock. */
export interface MockCommandOptions {
  readonly port?: number;
  readonly host?: string;
  /** Path of a world file. */
  readonly world?: string;
  /** Names of variants, chosen over the world. */
  readonly variant?: readonly string[];
  readonly seed?: number;
  /** Milliseconds. */
  readonly latency?: number;
  /** Milliseconds. */
  readonly latencyPerToken?: number;
  /** A log line for each answer. */
  readonly logAnswers?: boolean;
  /** Rules, each on one line. */
  readonly fault?: readonly string[];
  /** Path of a scenario file. */
  readonly scenario?: string;
  readonly control?: boolean;
  /** CHAT_CONTROL_TOKEN where it is absent. */
  readonly controlToken?: string;
}

/**
 * The options of a mock as the command line means them: what it says itself goes before what a scenario says, its
 * faults in front. Throws an error of one line for files and faults that are wrong.
 */
export async function mockOptions(
  { world, variant = [], scenario, fault = [], controlToken, ...given }: MockCommandOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<MockOptions> {
  if (controlToken !== undefined && given.control !== true) {
    throw new UsageError('--control-token goes with --control');
  }
  const token = controlToken ?? environment['CHAT_CONTROL_TOKEN'];
  const staged = scenario === undefined ? { faults: [] } : await readScenario(scenario);
  if (world !== undefined && 'world' in staged) {
    throw new UsageError(`--world and the world of ${scenario} exclude each other: give one of them`);
  }
  const own = world === undefined ? {} : { world: await readWorld(world) };
  const chosen = await varied(variant, { ...staged, ...own });
  const faults = [...fault, ...staged.faults];
  const inWorld = { ...staged, ...own, ...chosen }.world ?? builtInWorld;
  await refuseWrongFaults({ lines: fault, rules: staged.faults, scenario }, inWorld);
  return {
    ...staged,
    ...given,
    ...own,
    ...chosen,
    faults,
    ...(token !== undefined && { controlToken: token }),
  };
}

// Loaded only where they are needed: the schema library would double the time to the first answer.

async function readWorld(path: string): Promise<World> {
  const { readWorldFile } = await import('../mock-server/world-file.ts');
  return readWorldFile(path);
}

async function varied(names: readonly string[], { world }: MockOptions): Promise<Pick<MockOptions, 'world'>> {
  if (names.length === 0) return {};
  const { withVariants } = await import('./mock-variants.ts');
  return { world: withVariants(names, world) };
}

async function readScenario(path: string): Promise<Scenario> {
  const { readScenarioFile } = await import('../mock-server/scenario-file.ts');
  return readScenarioFile(path);
}
