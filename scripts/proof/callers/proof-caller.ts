import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { scenariosFor, type CallerScenarioName, type TaskItem } from '../../caller/scenarios.ts';
import { type StartCaller, startCommand } from '../../caller/start-command.ts';
import { ProofClient } from './proof-client.ts';

/**
 * A caller whose faults are known: the scenarios in which it is tried, what it does, and the clauses that this breaks, or may
 * break; none for a faithful one.
 */
type ProofCaller = readonly [
  scenarios: CallerScenarioName | readonly CallerScenarioName[],
  start: StartCaller,
  ...clauses: readonly ClauseId[],
];

/** Callers by their names: words joined by hyphens. */
export type ProofCallers = Readonly<Record<string, ProofCaller>>;

export const EVERY = scenariosFor('command');

/** The scenarios in which an answer is lost, and no caller has to wait for that. */
export const LOSSES = [
  'charged-and-lost',
  'lost-before-reservation',
  'html-answer',
  'connection-lost',
  'stream-cut',
] as const satisfies readonly CallerScenarioName[];

export const USE_AND_LOSSES: readonly CallerScenarioName[] = ['plain-use', ...LOSSES];

/** What a caller does with its client, the items of its task, and how many of them to have under way at once. */
type CallerBehaviour = (client: ProofClient, items: readonly TaskItem[], atOnce: number) => Promise<unknown>;

/** What a caller does with one item. */
type ItemBehaviour = (client: ProofClient, item: TaskItem, index: number) => Promise<unknown>;

/** A caller that is a function, in this process. */
export function doing(behave: CallerBehaviour): StartCaller {
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

/** Treats the items one by one. */
export function oneByOne(treat: ItemBehaviour): StartCaller {
  return doing(async (client, items) => {
    for (const [index, item] of items.entries()) await treat(client, item, index);
  });
}

/** Treats as many items at once as the task asks for. */
export function pooled(treat: ItemBehaviour): StartCaller {
  return doing((client, items, concurrency) =>
    pMap(items, (item, index) => treat(client, item, index), { concurrency }),
  );
}

/** A caller in a process of its own: what crashes, ends or says something at its end. `path` is relative to this folder. */
export function program(path: string): StartCaller {
  return startCommand([process.execPath, fileURLToPath(new URL(path, import.meta.url))], {
    deadlineMs: 60_000,
    names: {},
    signal: new AbortController().signal,
  });
}
