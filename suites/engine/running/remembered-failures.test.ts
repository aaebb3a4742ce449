import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import { check, type Invariant } from '../model/check.ts';
import { HOLDS, violated } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import { stimulus, type Trial, type RememberedFailure } from '../model/stimulus.ts';
import type { Summary } from '../model/summary.ts';
import { answerOf } from '../reading/answers.ts';
import { runOptions, serve } from '../test-support/service.ts';
import { runSuites } from './run-suites.ts';

/** A service that answers a chat about a number with this status; 0 breaks the connection. */
async function serviceOf(answer: { statusFor: (n: number) => number }) {
  const arrived: number[] = [];
  const { baseUrl } = await serve(({ request, body }, response) => {
    const asked = /"content":"(\d+)"/.exec(body)?.[1];
    if (asked !== undefined) arrived.push(Number(asked));
    const status = asked === undefined ? 200 : answer.statusFor(Number(asked));
    if (status === 0) return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      request.method === 'GET' ? '{"data":[{"id":"m"}]}' : '{"choices":[{"message":{"content":"x"}}]}',
    );
  });
  return { arrived, baseUrl };
}

const numbers = stimulus<Trial, number>({
  name: 'numbers',
  stage: 'paid',
  cappedCount: 3,
  inputs: () => ({ examples: [1], arbitrary: fc.integer({ min: 2, max: 1_000_000 }) }),
  cost: () => ({ served: 1 }),
  send: async (n, sender, { models: [{ id: model }] }) => {
    const messages = [{ role: 'user', content: String(n) }];
    return { exchanges: [await sender.send(chatDraft({ model, messages, max_tokens: 16 }))] };
  },
});

const served = check({
  id: 'served',
  clauses: ['SVC-1'],
  title: 'serves every number',
  given: numbers,
  holds: ({ exchanges: [exchange] }) => {
    const status = exchange === undefined ? 0 : answerOf(exchange).status;
    return status === 200 ? HOLDS : violated(`status-${status}`, '200', String(status));
  },
});

const never418: Invariant = {
  id: 'never-418',
  clauses: ['ERR-11'],
  title: 'is no teapot',
  judge: () => (exchange) => {
    const { status } = answerOf(exchange);
    return status === 418 || status === 419 ? violated(`teapot-${status}`, 'a', 'b') : HOLDS;
  },
};

async function runOf(
  baseUrl: string,
  seed: number,
  more: Pick<RunOptions, 'remembered' | 'selected'> = {},
): Promise<Summary> {
  return runSuites(runOptions(baseUrl, [served], { invariants: [never418], seed, runs: 4, ...more }));
}

const fatesIn = ({ checks }: Summary): readonly (readonly string[] | undefined)[] =>
  checks.map(({ before }) => before?.map(({ fate }) => fate));

test.each([
  ['still fails', 418, 418, [['still fails'], ['still fails']]],
  ['fails differently', 418, 419, [['still fails'], ['still fails']]],
  ['fails differently, by one of both', 418, 409, [['still fails'], ['fixed']]],
  ['is fixed', 418, 200, [['fixed'], ['fixed']]],
  ['was not answered', 418, 0, [['undecided'], ['undecided']]],
])(
  'sends the simplest input that failed first, under another seed, and says that it %s',
  async (_what, then, now, fates) => {
    const answer = { statusFor: (n: number) => (n >= 1000 ? then : 200) };
    const { arrived, baseUrl } = await serviceOf(answer);
    const { checks, remembered = [] } = await runOf(baseUrl, 1);
    expect(checks.map(({ id, evidence: [first] }) => [id, first?.input?.text])).toEqual([
      ['served', '1000'],
      ['never-418', expect.any(String)],
    ]);
    arrived.length = 0;
    // Other numbers than these are served, so that the fates are those of the inputs.
    answer.statusFor = (n) => (remembered.some(({ input }) => input?.text === String(n)) ? now : 200);
    const after = await runOf(baseUrl, 2, { remembered });
    expect(arrived[0]).toBe(1000);
    expect(fatesIn(after)).toEqual(fates);
    const open = ['served', 'never-418'].filter((_id, i) => fates[i]?.[0] !== 'fixed');
    expect(new Set(after.remembered?.map(({ check: of }) => of))).toEqual(new Set(open));
  },
);

const textsIn = (summary: Summary, id: string): readonly string[] =>
  (summary.remembered ?? []).flatMap(({ check: of, input }) => (of === id ? (input?.text ?? []) : []));

test('remembers every input that failed until it was sent again, also what a smaller run does not check', async () => {
  const failing = (n: number): number => (n > 1 ? 418 : 200);
  const answer = { statusFor: failing };
  const { arrived, baseUrl } = await serviceOf(answer);
  const first = await runOf(baseUrl, 1);
  const sent = [...new Set(arrived)].filter((n) => n > 1).map(String);
  expect(textsIn(first, 'served')).toContain('2');
  const texts = textsIn(first, 'served');
  expect(texts.length).toBeGreaterThan(2);
  expect(sent).toEqual(expect.arrayContaining([...texts]));
  // One is mended.
  answer.statusFor = (n) => (n === 2 ? 200 : failing(n));
  const second = await runOf(baseUrl, 1, { remembered: first.remembered ?? [] });
  expect(fatesIn(second)[0]).toEqual(['still fails']);
  expect(textsIn(second, 'served')).not.toContain('2');
  const other: RememberedFailure = { check: 'other', code: 'x', input: { stimulus: 'others', text: '1' } };
  const third = await runOf(baseUrl, 1, { remembered: [other] });
  expect(third.remembered).toContainEqual(other);
});

test('reports an invariant that was not asked for where it fails on what failed before', async () => {
  const answer = { statusFor: (n: number): number => (n > 1 ? 409 : 200) };
  const { baseUrl } = await serviceOf(answer);
  const { remembered = [] } = await runOf(baseUrl, 1, { selected: new Set() });
  expect(remembered.map(({ check: of }) => of)).not.toContain('never-418');
  answer.statusFor = (n) => (n > 1 ? 418 : 200);
  const again = await runOf(baseUrl, 2, { remembered, selected: new Set() });
  expect(again.checks.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['served', 'fail'],
    ['never-418', 'fail'],
  ]);
});
