import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import { modelListings } from '../inputs/provoking/listed-models.ts';
import { type Check, check } from '../model/check.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Finding, HOLDS, violated } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import { stimulus } from '../model/stimulus.ts';
import type { Summary } from '../model/summary.ts';
import type { Profile, TargetInfo } from '../model/target.ts';
import { answerOf } from '../reading/answers.ts';
import { readListing } from '../reading/models/read-models.ts';
import { knownToFail, runOptions, serve } from '../test-support/service.ts';
import { KeyRefused } from './first-answer.ts';
import { runSuites } from './run-suites.ts';

interface Service {
  readonly models?: { readonly status: number; readonly body: string };
  readonly chat?: (body: { max_tokens: number }) => { readonly status: number; readonly body: string };
}

const LIST = JSON.stringify({ data: [{ id: 'm' }] });
const SERVED = { status: 200, body: JSON.stringify({ choices: [{ message: { content: 'x' } }] }) };

/** The models, the vision capabilities, and the smallest chat. */
const PREFLIGHT = 3;

interface Run extends Partial<RunOptions> {
  readonly service?: Service;
  readonly profile?: Profile;
}

/** A run of these checks against a small real service: its summary. */
async function run(
  checks: readonly Check[],
  { service = {}, profile = {}, ...more }: Run = {},
): Promise<Summary> {
  const { models = { status: 200, body: LIST }, chat = () => SERVED } = service;
  const { baseUrl } = await serve(({ body }, response) => {
    const { status, body: answer } = body === '' ? models : chat(JSON.parse(body));
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  });
  const options = runOptions(baseUrl, checks, {
    target: { baseUrl, kind: 'mock', keys: { primary: 'sk-test' }, profile, headers: {} },
    seed: 5,
    runs: 30,
    concurrency: 4,
    caps: { requests: Infinity, completions: Infinity, outputTokens: 100_000 },
    ...more,
  });
  return runSuites(options);
}

const sizes = stimulus({
  name: 'sizes',
  stage: 'paid',
  cappedCount: 2,
  inputs: () => ({ examples: [1], arbitrary: fc.integer({ min: 1, max: 5000 }) }),
  cost: () => ({ served: 1 }),
  send: async (size: number, sender, info) => ({
    exchanges: [await sender.send(chatDraft({ model: info.models[0].id, messages: [], max_tokens: size }))],
  }),
});

const statusIs200 = check({
  id: 'status-200',
  clauses: ['RES-1'],
  title: 'answers 200',
  given: sizes,
  holds: ({ exchanges: [exchange] }) => {
    const status = exchange === undefined ? 0 : answerOf(exchange).status;
    return status === 200 ? HOLDS : violated('status', '200', String(status));
  },
});

function broken(): never {
  throw new RangeError('ours');
}

const failsFrom701 = ({ max_tokens: asked }: { max_tokens: number }) =>
  asked > 700 ? { status: 500, body: '{}' } : SERVED;

const verdictsOf = ({ checks }: Summary): readonly string[] => checks.map(({ verdict }) => verdict);

test('sends one draw for all checks that share its stimulus', async () => {
  const { outcome, spent } = await run([statusIs200, { ...statusIs200, id: 'other' }]);
  expect([outcome, spent.requests]).toEqual(['conformant', PREFLIGHT + 31]);
});

test('ends with what the code that is told of its progress throws', async () => {
  const onProgress: RunOptions['onProgress'] = ({ done }) => (done === 12 ? broken() : undefined);
  await expect(run([statusIs200], { onProgress })).rejects.toThrow('ours');
});

test('judges an uncertain outcome given a check that accepts one', async () => {
  const tellsUncertain: Check['tellsUncertain'] = ({ exchanges: [exchange] }) =>
    exchange.id.startsWith('sizes/0/') ? undefined : violated('late', 'an answer', 'none');
  const service = { chat: () => ({ status: 504, body: 'late' }) };
  const { checks, uncertain } = await run([{ ...statusIs200, tellsUncertain }], { service, concurrency: 1 });
  expect(checks).toMatchObject([{ verdict: 'fail', evidence: [{ finding: { code: 'late' } }] }]);
  expect(uncertain).toHaveLength(3);
});

test('needs permission for what is costly', async () => {
  const given = stimulus({ ...sizes, name: 'costly-sizes', stage: 'costly' });
  const { checks } = await run([{ ...statusIs200, given }]);
  expect(checks).toMatchObject([{ verdict: 'not-exercised', reason: 'needs --allow costly' }]);
});

test('judges no answer that is too long to be kept', async () => {
  const body = JSON.stringify({ choices: [], more: 'x'.repeat(2 ** 21) });
  const long = { service: { chat: () => ({ status: 200, body }) }, runs: 2 };
  const reason = expect.stringContaining(`its answer has ${body.length} bytes, of which 26`);
  expect((await run([statusIs200], long)).checks).toMatchObject([{ verdict: 'inconclusive', reason }]);
});

test('shows the simplest request that fails, with a line that sends it again', async () => {
  const { outcome, checks } = await run([statusIs200], { service: { chat: failsFrom701 } });
  const reason = expect.stringContaining('expected 200; got 500');
  expect([outcome, checks[0]]).toMatchObject(['violations', { verdict: 'fail', reason }]);
  const [shown] = checks[0]?.evidence ?? [];
  for (const text of [shown?.exchange.request.body, shown?.curl]) expect(text).toContain('"max_tokens":701');
});

/** Chats of which the service fails at these, by a check that tells it as a failure of the service. */
const failsAt = (...examples: readonly number[]): Check => ({
  ...statusIs200,
  given: stimulus({ ...sizes, cappedCount: examples.length, inputs: () => ({ examples }) }),
  holds: ({ exchanges: [exchange] }) =>
    answerOf(exchange).status === 200 ? HOLDS : violated('failed', 'success', '500'),
});

test('shows the served request that differs least from one at which the service failed', async () => {
  const { checks } = await run([failsAt(5, 701)], { service: { chat: failsFrom701 }, concurrency: 1 });
  const [shown] = checks[0]?.evidence ?? [];
  expect(shown?.control?.difference).toBe('/max_tokens');
  expect(shown?.control?.exchange.request.body).toContain('"max_tokens":5');
});

test('hints that inputs were left out given a check that failed often enough', async () => {
  const hintAfter = async (...examples: readonly number[]) =>
    (await run([failsAt(...examples)], { service: { chat: failsFrom701 }, runs: 'few', concurrency: 1 }))
      .checks[0]?.hint;
  expect(await hintAfter(701, 702, 703, 704, 705)).toMatch(
    /^a kind of request is sent no more after 3 failures/,
  );
  expect(await hintAfter(701, 702)).toBeUndefined();
});

test('sends nothing more once as many checks have failed as it was allowed, besides those known to fail', async () => {
  // Each fails at once, on requests of its own.
  const failing = ['a', 'b', 'c', 'd', 'e'].map((id) => ({
    ...statusIs200,
    id,
    given: stimulus({ ...sizes, name: `sizes-of-${id}` }),
    holds: () => violated('wrong', 'right', 'wrong'),
  }));
  const failed = async (...known: readonly string[]): Promise<readonly string[]> => {
    const more = { maxFailures: 2, known: knownToFail(...known) };
    const { outcome, cutShort, checks } = await run(failing, { runs: 'few', concurrency: 1, ...more });
    expect(outcome).toBe('violations');
    expect(cutShort).toEqual([expect.stringMatching(/^--max-failures 2 is reached: \d+ inputs/)]);
    const left = checks.filter(({ verdict }) => verdict === 'not-exercised').map(({ reason }) => reason);
    expect(new Set(left)).toEqual(new Set(['not sent: --max-failures 2 is reached']));
    return checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  };
  expect(await failed()).toEqual(['a', 'b']);
  expect(await failed('a', 'b', 'c')).toEqual(['d', 'e']);
});

test.each([
  [401, '{}', KeyRefused],
  [200, '{"data":[]}', 'lists no models for this key'],
  [200, '{"x":1}', 'pin "models.list"'],
])('says in one line why a run cannot begin given a list of %i %s', async (status, body, error) => {
  await expect(run([], { service: { models: { status, body } } })).rejects.toThrow(error);
});

test('judges the model list, and sends no chat, given success with what is no list', async () => {
  const listed = check({
    id: 'listed',
    clauses: ['SVC-2'],
    title: 'lists its models',
    given: modelListings,
    holds: (_, info) => (info.hasNoList === true ? violated('no-list', 'a list', 'none') : HOLDS),
  });
  const service = { models: { status: 200, body: '"OK"' } };
  const { outcome, checks, spent } = await run([listed, statusIs200], { service });
  expect([outcome, spent.requests]).toEqual(['violations', PREFLIGHT]);
  expect(checks.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual([
    'fail: expected a list; got none (1 of 1 trials)',
    'not-exercised: no model is known: see SVC-2',
  ]);
});

/** Throws for the target of these tests, and not where a run is planned before it is known. */
function brokenFor<T>({ models: [{ id }] }: TargetInfo, planned: T): T {
  return id === 'm' ? broken() : planned;
}

/** Where our own code throws: nothing but the check that it was for may say so. */
const BROKEN_LAYERS: Readonly<Record<string, Partial<Check>>> = {
  'the judgement': { holds: broken },
  'the inputs': { given: stimulus({ ...sizes, inputs: (info) => brokenFor(info, { examples: [1] }) }) },
  'the cost': { given: stimulus({ ...sizes, cost: (_, info) => brokenFor(info, { served: 1 }) }) },
  'the reason to skip': { given: stimulus({ ...sizes, skipReason: (info) => brokenFor(info, undefined) }) },
  'the stimulus': { given: stimulus({ ...sizes, send: broken }) },
  'the reading': { holds: (_, info) => readListing(answerOf({} as Exchange), info) && HOLDS },
  'the report of a failure': {
    holds: () => ({ kind: 'violated', finding: new Proxy({} as Finding, { get: broken, ownKeys: broken }) }),
  },
};

test.each(Object.entries(BROKEN_LAYERS))('takes what %s throws for an error of ours', async (_, layer) => {
  const bad = { ...statusIs200, id: 'bad', ...layer };
  expect(verdictsOf(await run([bad, statusIs200], { runs: 2 }))).toEqual(['error', 'pass']);
});

test('takes an invariant that cannot be made for an error of ours', async () => {
  const invariant = { id: 'bad', clauses: ['ERR-1'], title: 't', judge: broken } as const;
  expect(verdictsOf(await run([statusIs200], { runs: 2, invariants: [invariant] }))).toEqual([
    'pass',
    'error',
  ]);
});

test('lists a request during which our own code threw, and goes on', async () => {
  const credential = { kind: 'forged', label: 'bad', header: broken } as const;
  const thrown = stimulus({
    ...sizes,
    name: 'thrown',
    inputs: () => ({ examples: [1] }),
    send: async (size: number, sender, info) => {
      const draft = chatDraft({ model: info.models[0].id, messages: [], max_tokens: size });
      return { exchanges: [await sender.send({ ...draft, credential })] };
    },
  });
  const summary = await run([{ ...statusIs200, id: 'bad', given: thrown }, statusIs200], { runs: 2 });
  expect(verdictsOf(summary)).toEqual(['error', 'pass']);
  const uncertain = summary.uncertain.map(({ id, reason }) => `${id}: ${reason}`);
  expect(uncertain).toEqual(['thrown/0/0: internal error: ours']);
});
