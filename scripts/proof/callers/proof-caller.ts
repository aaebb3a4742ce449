import { fileURLToPath } from 'node:url';
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

/** A caller that is a function, in this process. `atOnce`: how many items it is asked to have under way at once. */
export function doing(
  behave: (client: ProofClient, items: readonly TaskItem[], atOnce: number) => Promise<unknown>,
): StartCaller {
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

export function oneByOne(
  treat: (client: ProofClient, item: TaskItem, index: number) => Promise<unknown>,
): StartCaller {
  return doing(async (client, items) => {
    for (const [index, item] of items.entries()) await treat(client, item, index);
  });
}

/** A caller in a process of its own: what crashes, ends or says something at its end. `path` is relative to this folder. */
export function program(path: string): StartCaller {
  return startCommand([process.execPath, fileURLToPath(new URL(path, import.meta.url))], {
    deadlineMs: 60_000,
    names: {},
    signal: new AbortController().signal,
  });
}
