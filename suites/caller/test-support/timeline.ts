import { expect, test } from 'vitest';
import type { Ruling } from '../../engine/model/ruling.ts';
import { inRun, timelineOf } from '../chats.ts';
import type { CallerCheck } from '../judge-caller.ts';
import {
  type CallerFacts,
  type ObservedRequest,
  type Timeline,
  WATCHED,
  type WorkspaceLookup,
} from '../timeline.ts';

/** The body of a chat of one message. */
export function body(content: string, more: object = {}): string {
  return JSON.stringify({ model: 'm-1', messages: [{ role: 'user', content }], ...more });
}

/** A completion with its own key that was served immediately, unless `given` differs. */
export function chat(at: number, more: Partial<ObservedRequest> = {}): ObservedRequest {
  return {
    place: 'service',
    arrivedAt: at,
    knownAt: more.outcome === 'running' ? undefined : at + 5,
    isHeld: false,
    method: 'POST',
    path: '/v1/chat/completions',
    headers: {},
    credential: 'own',
    keyIn: [],
    idempotencyKey: `key-${at}`,
    requestId: `req-${at}`,
    body: body(`text ${at}`),
    status: 200,
    answer: '{}',
    outcome: 'served',
    ...more,
  };
}

/** A GET that was answered with 200. */
export function get(
  at: number,
  path: string,
  answer: unknown,
  more: Partial<ObservedRequest> = {},
): ObservedRequest {
  const bare = { method: 'GET', body: '', idempotencyKey: undefined, answer: JSON.stringify(answer) };
  return chat(at, { ...bare, path, ...more });
}

/** A lookup of all requests, or of one. */
export function lookup(at: number, about?: string, states: Record<string, string> = {}): WorkspaceLookup {
  const entries = Object.entries(states).map(([name, state]) => ({
    requestId: name,
    idempotencyKey: name,
    state,
  }));
  return { at, about: about ?? null, entries };
}

/** The numbered requests of a caller with its own task that exited with 0. */
export function timeline(requests: readonly ObservedRequest[], more: Partial<CallerFacts> = {}): Timeline {
  const end = { kind: 'exited', code: 0, output: '' } as const;
  return timelineOf(requests, { ...WATCHED, lookups: [], secretModels: true, end, ...more });
}

/** `holds`, the code of the violation, or another kind of ruling; `before`: the scenarios that were played earlier. */
export function ruled({ judge }: CallerCheck, seen: Timeline, before: readonly Timeline[] = []): string {
  const ruling: Ruling = judge(inRun([...before, seen]).at(-1) ?? seen);
  return ruling.kind === 'violated' ? ruling.finding.code : ruling.kind;
}

/** What a check says of timelines: a row is its ruling, what is given, the requests, and other facts. */
export function testRulings(check: CallerCheck, rows: readonly Row[]): void {
  const cases = rows.map(([expected, given, ...facts]) => ({ expected, given, seen: timeline(...facts) }));
  test.each(cases)(`${check.id}: $expected given $given`, ({ expected, seen }) => {
    expect(ruled(check, seen)).toBe(expected);
  });
}

type Row = readonly [
  expected: string,
  given: string,
  requests: readonly ObservedRequest[],
  more?: Partial<CallerFacts>,
];
