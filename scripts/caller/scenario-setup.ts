import { hash } from 'node:crypto';
import type { Sandbox } from '../../mock-server/sandboxes/sandbox.ts';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import type { Key, Model, World } from '../../mock-server/world/world.ts';
import type { CallerEnd, Timeline } from '../../suites/caller/observed/timeline.ts';
import { type CallerInputs, beginningOf } from './caller-inputs.ts';
import { type ObservedSandboxes, withoutKeysOf } from './observe-caller.ts';
import {
  CALLER_SCENARIOS,
  type CallerScenarioName,
  type CallerScenario,
  type Timeouts,
} from './scenarios.ts';

/** The timeout of the specification's tested configuration (CALL-6). */
export const STATED_TIMEOUT_MS = 120_000;

/** Shorter timeouts than the real one show within seconds whether the caller keeps to them: each scenario has its own. */
export const SHORT_TIMEOUTS = 'short';
export const REAL_TIMEOUTS: Timeouts = { timeoutMs: STATED_TIMEOUT_MS, answerAfterMs: 125_000 };

/** `short`: those of the scenario. */
export type ChosenTimeouts = Timeouts | typeof SHORT_TIMEOUTS;

/** Undefined: the scenario holds no answer. */
export function timeoutsOf({ held }: CallerScenario, chosen: ChosenTimeouts): Timeouts | undefined {
  return held === undefined || chosen === SHORT_TIMEOUTS ? held : chosen;
}

function faultsOf({ faults }: CallerScenario, timeouts: Timeouts | undefined): readonly string[] {
  return timeouts === undefined
    ? faults
    : faults.map((line) => (line.startsWith('timeout ') ? `${line} ms=${timeouts.answerAfterMs}` : line));
}

/** The end without keys, its time counted from the start of the observation. */
export function observedEnd(end: CallerEnd, observed: ObservedSandboxes): CallerEnd {
  if (end.kind === 'watched') return end;
  const without = withoutKeysOf(observed);
  const texts = {
    output: without(end.output),
    ...(end.stderr !== undefined && { stderr: without(end.stderr) }),
  };
  if (end.kind === 'stopped' || end.at === undefined) return { ...end, ...texts };
  return { ...end, ...texts, at: end.at - observed.startedAt };
}

type Addresses = Pick<CallerInputs, 'baseUrl' | 'apiKey' | 'otherBaseUrl' | 'otherApiKey' | 'controlUrl'>;

/** Where a caller finds the service, and the sandbox that plays another provider. */
export function addressesOf(mock: Mock, elsewhere: Sandbox | undefined): Addresses {
  return {
    baseUrl: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    otherBaseUrl: `${mock.origin}/sandboxes/elsewhere/v1`,
    otherApiKey: elsewhere?.service.world.keys[0]?.key ?? '',
    controlUrl: mock.control ?? '',
  };
}

/** What a caller was asked to do and told, as its timeline has it. */
export function askedOf(
  { items, atOnce }: CallerScenario,
  { task, timeoutMs, model }: CallerInputs,
): Pick<Timeline, 'scenario' | 'items' | 'atOnce' | 'timeoutMs' | 'secretModels' | 'givenModel'> {
  const shown = items.map((item) => ({
    id: item.id,
    begins: beginningOf(item),
    image: item.image !== undefined,
  }));
  return { scenario: task.scenario, items: shown, atOnce, timeoutMs, secretModels: true, givenModel: model };
}

/** A model for applications that take theirs from their configuration: one that takes images too, if there is one. */
export function givenModelOf({ models }: World): string {
  const listed = models.filter(({ available }) => available !== false);
  return (listed.find(({ vision }) => vision === true) ?? listed[0])?.id ?? '';
}

/**
 * Milliseconds without a new request after which all requests in flight are answered, a fault before all others: longer
 * than a caller on a busy machine takes between the requests that it sends at once.
 */
const GATHER_MS = 250;

export function startScenarioMock(
  name: CallerScenarioName,
  seed: number,
  timeouts: Timeouts | undefined,
): Promise<Mock> {
  const scenario = CALLER_SCENARIOS[name];
  return startMock({
    world: callerWorld(seed, name, scenario),
    seed,
    faults: faultsOf(scenario, timeouts),
    ...(scenario.held === undefined && { gatherMs: GATHER_MS }),
    control: true,
    witnessed: true,
    // One field too many hides nothing else: it is seen, and the scenario goes on.
    lenient: true,
  });
}

/** How many output tokens a mock generated. */
export function outputTokens({ ledger }: Pick<Mock, 'ledger'>): number {
  return ledger.entries().reduce((sum, { work }) => sum + (work?.outputTokens ?? 0), 0);
}

function word(seed: number, scenario: string, what: string, length: number): string {
  return hash('sha256', `${seed}\n${scenario}\n${what}`, 'hex').slice(0, length);
}

/**
 * The built-in world with its own model IDs and keys for each seed and scenario: a caller that uses one of them has
 * read it here, and a key that turns up elsewhere is from here.
 */
function callerWorld(seed: number, name: string, { vision = true }: CallerScenario): World {
  const suffix = word(seed, name, 'models', 6);
  const renamed = (id: string): string => id.replace(/-\d+$/, `-${suffix}`);
  const models = builtInWorld.models.map((model): Model => ({
    ...model,
    id: renamed(model.id),
    vision: vision && model.vision === true,
  }));
  const keys = builtInWorld.keys.map((key): Key => {
    const own = { ...key, key: `mock-${word(seed, name, key.name, 40)}` };
    return key.models === undefined ? own : { ...own, models: key.models.map(renamed) };
  });
  return { ...builtInWorld, models, keys };
}
