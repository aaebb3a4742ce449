import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { StartCaller } from '../../caller/caller-inputs.ts';
import { callerScenarioNames, type CallerScenarioName, type TaskItem } from '../../caller/scenarios.ts';
import { ProofClient } from './proof-client.ts';

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

export const EVERY = callerScenarioNames();

/** The scenarios in which an answer is lost, and no caller has to wait for that. */
export const LOSSES = [
  'charged-and-lost',
  'lost-before-reservation',
  'html-answer',
  'connection-lost',
  'stream-cut',
] as const satisfies readonly CallerScenarioName[];

/** What a caller does with its client, the items of its task, and how many of them to have under way at once. */
export type CallerBehaviour = (
  client: ProofClient,
  items: readonly TaskItem[],
  atOnce: number,
) => Promise<unknown>;

/** What a caller does with one item, given the first of the models that it listed. */
export type ItemBehaviour = (
  client: ProofClient,
  item: TaskItem,
  model: string,
  index: number,
) => Promise<unknown>;

/** Lists the models, and then treats the items one by one. */
export function oneByOne(treat: ItemBehaviour): CallerBehaviour {
  return async (client, items) => {
    const [model] = await client.models();
    for (const [index, item] of items.entries()) await treat(client, item, model, index);
  };
}

/** Runs a caller that is a function, in this process. */
function inProcess(behave: CallerBehaviour): StartCaller {
  return async (inputs) => {
    const { wishes, atOnce } = inputs.task;
    try {
      await behave(new ProofClient(inputs), wishes, atOnce);
      return { kind: 'exited', code: 0, output: '' };
    } catch (error) {
      return { kind: 'exited', code: 1, output: String(error) };
    }
  };
}

type Scenarios = CallerScenarioName | readonly CallerScenarioName[];

function caller(
  kind: ProofCaller['kind'],
  name: string,
  scenarios: Scenarios,
  clauses: readonly ClauseId[],
  behave: CallerBehaviour,
): ProofCaller {
  return { name, kind, clauses, scenarios: [scenarios].flat(), start: inProcess(behave) };
}

/** Declares a caller that breaks these clauses. */
export const broken = (
  name: string,
  scenarios: Scenarios,
  clauses: readonly ClauseId[],
  behave: CallerBehaviour,
): ProofCaller => caller('broken-caller', name, scenarios, clauses, behave);

/** Declares a caller that may break these clauses. */
export const doubtful = (
  name: string,
  scenarios: Scenarios,
  clauses: readonly ClauseId[],
  behave: CallerBehaviour,
): ProofCaller => caller('doubtful-caller', name, scenarios, clauses, behave);

/** Declares a caller that breaks no clause. */
export const faithful = (name: string, scenarios: Scenarios, behave: CallerBehaviour): ProofCaller =>
  caller('faithful-caller', name, scenarios, [], behave);
