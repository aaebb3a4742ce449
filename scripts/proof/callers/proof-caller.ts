import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CallerInputs } from '../../caller/caller-inputs.ts';
import type { CallerScenarioName, TaskItem } from '../../caller/scenarios.ts';
import type { StartCaller } from '../../caller/try-caller.ts';
import { ProofClient } from './proof-client.ts';
import { byFetch, type SendRequest } from './transports.ts';

/**
 * A caller whose faults are known: the judge must find exactly those. What a doubtful one breaks cannot be seen for sure:
 * it is neither blamed nor passed.
 */
export interface ProofCaller {
  /** Words joined by hyphens. */
  readonly name: string;
  readonly kind: 'broken-caller' | 'doubtful-caller' | 'faithful-caller';
  /** The clauses that it breaks, or may break; none for a faithful one. */
  readonly clauses: readonly ClauseId[];
  readonly scenarios: readonly CallerScenarioName[];
  readonly start: StartCaller;
}

/** What a caller does with its client, the items of its task, and how many of them to have under way at once. */
export type CallerBehaviour = (
  client: ProofClient,
  items: readonly TaskItem[],
  atOnce: number,
) => Promise<unknown>;

/** Runs a caller that is a function, in this process. */
function inProcess(behave: CallerBehaviour, transport: SendRequest): StartCaller {
  return async (inputs: CallerInputs) => {
    const { wishes, atOnce } = inputs.task;
    try {
      await behave(new ProofClient(inputs, transport), wishes, atOnce);
      return { kind: 'exited', code: 0, output: '' };
    } catch (error) {
      return { kind: 'exited', code: 1, output: String(error) };
    }
  };
}

/** Declares a broken caller. */
export function broken(
  name: string,
  scenario: CallerScenarioName,
  clauses: readonly ClauseId[],
  behave: CallerBehaviour,
  transport: SendRequest = byFetch,
): ProofCaller {
  return { name, kind: 'broken-caller', clauses, scenarios: [scenario], start: inProcess(behave, transport) };
}

/** What a caller does with one item, given the first of the models that it listed. */
export type ItemBehaviour = (
  client: ProofClient,
  item: TaskItem,
  model: string,
  index: number,
) => Promise<unknown>;

/** Declares a broken caller that lists the models, and then treats its items one by one. */
export function brokenOneByOne(
  name: string,
  scenario: CallerScenarioName,
  clauses: readonly ClauseId[],
  treat: ItemBehaviour,
  transport: SendRequest = byFetch,
): ProofCaller {
  return broken(name, scenario, clauses, oneByOne(treat), transport);
}

/** Lists the models, and then treats the items one by one. */
export function oneByOne(treat: ItemBehaviour): CallerBehaviour {
  return async (client, items) => {
    const [model] = await client.models();
    for (const [index, item] of items.entries()) await treat(client, item, model, index);
  };
}

/** Requests one item after the other, until the first answer that is not a completion. */
export const untilTheFirstFailure: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  for (const item of items) {
    const result = await client.complete(item, model);
    if (result !== undefined && result.kind !== 'served') return;
  }
};

/** Requests one item after the other whatever happens, and lists the models before each. */
export const dropsWhatFailed: CallerBehaviour = async (client, items) => {
  for (const item of items) await client.complete(item, (await client.models())[0]);
};

/** Declares a faithful caller. */
export function faithful(
  name: string,
  scenarios: readonly CallerScenarioName[],
  behave: CallerBehaviour,
  transport: SendRequest = byFetch,
): ProofCaller {
  return { name, kind: 'faithful-caller', clauses: [], scenarios, start: inProcess(behave, transport) };
}
