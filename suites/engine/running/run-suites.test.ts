import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import { modelListings } from '../inputs/provoking/listed-models.ts';
import { type Check, check } from '../model/check.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Finding, HOLDS, observed, type Ruling, violated } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import { stimulus, type Trial } from '../model/stimulus.ts';
import type { Profile, TargetInfo } from '../model/target.ts';
import { answerOf } from '../reading/answers.ts';
import { readModels } from '../reading/models/read-models.ts';
import { knownToFail, runOptions, serve } from '../test-support/service.ts';
import { KeyRefused, TargetUnreachable } from './first-answer.ts';
import { runSuites } from './run-suites.ts';

interface Service {
  readonly models?: { readonly status: number; readonly body: string };
  readonly chat?: (body: { max_tokens: number }) => { readonly status: number; readonly body: string };
}

const LIST = JSON.stringify({ data: [{ id: 'm' }] });
const SERVED = { status: 200, body: JSON.stringify({ choices: [{ message: { content: 'x' } }] }) };

/** The models, the vision capabilities, and the smallest chat. */
const PREFLIGHT = 3;

/** A small real service, and the options of a run against it. */
async function against(
  checks: readonly Check[],
  service: Service = {},
  more: Partial<RunOptions> = {},
  profile: Profile = {},
) {
  const { baseUrl, arrived } = await serve(({ body }, response) => {
    const listing = service.models ?? { status: 200, body: LIST };
    const { status, body: answer } =
      body === '' ? listing : (service.chat ?? (() => SERVED))(JSON.parse(body));
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
  return { run: () => runSuites(options), arrived: () => arrived.length };
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

function ruling(id: string, clause: 'RES-1' | 'ERR-10' | 'ERR-9', make: () => Ruling): Check {
  return check({ id, clauses: [clause], title: 'is judged as told', given: sizes, holds: make });
}

test('passes a check that held every time, and names nothing else', async () => {
  const { run } = await against([statusIs200]);
  const summary = await run();
  expect(summary.outcome).toBe('conformant');
  expect(summary.checks).toEqual([
    expect.objectContaining({ id: 'status-200', verdict: 'pass', reason: '', exchanges: 31 }),
  ]);
  expect(summary.clauses.find(({ id }) => id === 'RES-1')).toMatchObject({
    verdict: 'pass',
    checks: ['status-200'],
  });
  expect(summary.clauses.find(({ id }) => id === 'MSG-1')).toMatchObject({ verdict: 'not-exercised' });
});

test('shows the simplest request that fails, with a line that sends it again', async () => {
  const fails = (body: { max_tokens: number }) =>
    body.max_tokens > 700 ? { status: 500, body: '{}' } : SERVED;
  const { run } = await against([statusIs200], { chat: fails });
  const summary = await run();
  expect(summary.outcome).toBe('violations');
  const [result] = summary.checks;
  expect(result).toMatchObject({
    verdict: 'fail',
    reason: expect.stringContaining('expected 200; got 500'),
  });
  expect(result?.evidence[0]?.exchange.request.body).toContain('"max_tokens":701');
  expect(result?.evidence[0]?.curl).toContain('"max_tokens":701');
});

test('sends nothing more once a known failure has occurred, and looks for no simpler one', async () => {
  const sizesSent: number[] = [];
  const fails = (body: { max_tokens: number }) => {
    sizesSent.push(body.max_tokens);
    return body.max_tokens > 700 ? { status: 500, body: '{}' } : SERVED;
  };
  const { run } = await against([statusIs200], { chat: fails }, { known: knownToFail('status-200') });
  const { checks } = await run();
  expect(checks[0]?.verdict).toBe('fail');
  // The first chat of all asks for as much as the cap.
  expect(sizesSent.slice(1).filter((size) => size > 700)).toEqual([sizesSent.at(-1)]);
});

test('sends one draw for all checks that share its stimulus', async () => {
  const { run, arrived } = await against([statusIs200, ruling('other', 'RES-1', () => HOLDS)]);
  await run();
  expect(arrived()).toBe(PREFLIGHT + 31);
});

test('warns at the level of a convention, observes an open point, and takes a broken judgement for its own fault', async () => {
  const { run } = await against([
    ruling('convention', 'ERR-10', () => violated('status', 'a 4xx', '200')),
    ruling('open', 'ERR-9', () => observed({ point: 'error.code', value: '/error/code' })),
    ruling('ours', 'RES-1', () => {
      throw new TypeError('a bug');
    }),
  ]);
  const summary = await run();
  expect(summary.checks.map(({ verdict }) => verdict)).toEqual(['warn', 'observed', 'error']);
  expect(summary.outcome).toBe('incomplete');
  expect(summary.open).toEqual([{ clause: 'ERR-9', point: 'error.code', observed: '/error/code' }]);
});

test('is incomplete when a cap ended it, and says which', async () => {
  const { run, arrived } = await against(
    [statusIs200],
    {},
    { caps: { requests: 10, completions: 4, outputTokens: 1e6 } },
  );
  const summary = await run();
  expect(arrived()).toBe(6);
  expect(summary).toMatchObject({
    outcome: 'incomplete',
    cutShort: ['the cap of 4 completions was reached'],
  });
});

/** Five checks that fail at once, each on requests of its own. */
function fiveFailures(): readonly Check[] {
  return ['a', 'b', 'c', 'd', 'e'].map((id) =>
    check({
      id,
      clauses: ['RES-1'],
      title: 'fails',
      given: stimulus({ ...sizes, name: `sizes-of-${id}` }),
      holds: () => violated('wrong', 'right', 'wrong'),
    }),
  );
}

test('sends nothing more once as many checks have failed as it was allowed, besides those known to fail', async () => {
  const failed = async (...known: readonly string[]): Promise<readonly string[]> => {
    const more = { maxFailures: 2, known: knownToFail(...known) };
    const { run } = await against(fiveFailures(), {}, { runs: 'few', concurrency: 1, ...more });
    const { outcome, cutShort, checks } = await run();
    expect(outcome).toBe('violations');
    expect(cutShort).toEqual([expect.stringMatching(/^--max-failures 2 is reached: \d+ draws/)]);
    return checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  };
  expect(await failed()).toEqual(['a', 'b']);
  expect(await failed('a', 'b', 'c')).toEqual(['d', 'e']);
});

test('says how many of its inputs a check has tried, unless it tried them all', async () => {
  const many = stimulus<Trial, number>({
    name: 'many',
    stage: 'paid',
    cappedCount: 4,
    inputs: () => ({ examples: Array.from({ length: 20 }, (_, i) => i + 1) }),
    cost: () => ({ served: 1 }),
    send: (size, sender, info) => sizes.send(size, sender, info),
  });
  const about = { clauses: ['RES-1'], title: 'is judged', holds: () => HOLDS } as const;
  const ofMany = check({ ...about, id: 'of-many', given: many });
  const { run } = await against([ofMany, statusIs200], {}, { runs: 'few' });
  const [part, whole] = (await run()).checks;
  expect([part?.inputs, whole?.inputs]).toEqual([{ tried: 4, of: 20 }, undefined]);
});

test('judges an uncertain outcome given a check that accepts one', async () => {
  const telling = check({
    id: 'telling',
    clauses: ['RES-1'],
    title: 't',
    given: sizes,
    holds: () => HOLDS,
    tellsUncertain: ({ exchanges }) =>
      exchanges[0]?.id.startsWith('sizes/0/') ? undefined : violated('late', 'an answer', 'none'),
  });
  const late = { chat: () => ({ status: 504, body: 'late' }) };
  const summary = await (await against([telling], late, { concurrency: 1 })).run();
  expect(summary.checks[0]).toMatchObject({ verdict: 'fail', evidence: [{ finding: { code: 'late' } }] });
  expect(summary.uncertain).toHaveLength(3);
});

test('lists what is uncertain, and judges none of it', async () => {
  const { run } = await against(
    [statusIs200],
    { chat: () => ({ status: 504, body: 'late' }) },
    { concurrency: 1 },
  );
  const summary = await run();
  expect(summary.outcome).toBe('incomplete');
  expect(summary.checks[0]).toMatchObject({
    verdict: 'inconclusive',
    reason: 'uncertain outcome: gateway error: status 504',
  });
  expect(summary.uncertain).toHaveLength(3);
  expect(summary.uncertain[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
});

test('sends nothing more once interrupted', async () => {
  const controller = new AbortController();
  const { run, arrived } = await against(
    [statusIs200],
    {},
    {
      signal: controller.signal,
      concurrency: 1,
      onProgress: ({ spent }) => spent.requests === PREFLIGHT + 3 && controller.abort(),
    },
  );
  const summary = await run();
  expect(arrived()).toBe(PREFLIGHT + 3);
  expect(summary.cutShort).toEqual(['interrupted: 28 draws were not sent']);
});

test('needs permission for what is disruptive or costly', async () => {
  const costly = stimulus({
    ...sizes,
    name: 'costly-sizes',
    stage: 'costly',
    inputs: () => ({ examples: [1] }),
    send: async () => ({ exchanges: [] }),
  });
  const { run } = await against([
    check({ id: 'c', clauses: ['RES-1'], title: 't', given: costly, holds: () => HOLDS }),
  ]);
  expect((await run()).checks[0]).toMatchObject({
    verdict: 'not-exercised',
    reason: 'needs --allow costly',
  });
});

test('says in one line why a run cannot begin', async () => {
  const refused = await against([], { models: { status: 401, body: '{}' } });
  await expect(refused.run()).rejects.toThrow(KeyRefused);
  const elsewhere = await against([], { models: { status: 404, body: '' } });
  await expect(elsewhere.run()).rejects.toThrow(TargetUnreachable);
  const empty = await against([], { models: { status: 200, body: '{"data":[]}' } });
  await expect(empty.run()).rejects.toThrow('lists no models for this key');
  const unread = await against([], { models: { status: 200, body: '{"x":1}' } });
  await expect(unread.run()).rejects.toThrow('pin "models.list"');
});

test('judges the model list, and sends no chat, given success with what is no list', async () => {
  const listed = check({
    id: 'listed',
    clauses: ['SVC-2'],
    title: 'lists its models',
    given: modelListings,
    holds: (_, info) => (info.hasNoList === true ? violated('no-list', 'a list', 'none') : HOLDS),
  });
  const models = { status: 200, body: '"OK"' };
  const { run, arrived } = await against([listed, statusIs200], { models });
  const { outcome, checks } = await run();
  expect([outcome, arrived()]).toEqual(['violations', PREFLIGHT]);
  expect(checks.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual([
    'fail: expected a list; got none (1 of 1 trials)',
    'not-exercised: no model is known: see SVC-2',
  ]);
});

test('says the same whatever the concurrency', async () => {
  const fails = (body: { max_tokens: number }) =>
    body.max_tokens % 7 === 0 ? { status: 500, body: '{}' } : SERVED;
  const verdicts = async (concurrency: number) => {
    const { run } = await against([statusIs200], { chat: fails }, { concurrency });
    const { checks } = await run();
    return checks.map(({ verdict, reason, evidence }) => ({
      verdict,
      reason,
      body: evidence[0]?.exchange.request.body,
    }));
  };
  expect(await verdicts(1)).toEqual(await verdicts(16));
});

function broken(): never {
  throw new RangeError('ours');
}

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
  'the reading': {
    holds: (_, info) => readModels(answerOf({} as Exchange), info.profile) && HOLDS,
  },
  'the report of a failure': {
    holds: () => ({ kind: 'violated', finding: new Proxy({} as Finding, { get: broken, ownKeys: broken }) }),
  },
};

test.each(Object.entries(BROKEN_LAYERS))('takes what %s throws for an error of ours', async (_, layer) => {
  const bad = { ...statusIs200, id: 'bad', ...layer };
  const { run } = await against([bad, statusIs200], {}, { runs: 2 });
  expect((await run()).checks.map(({ verdict }) => verdict)).toEqual(['error', 'pass']);
});

test('takes an invariant that cannot be made for an error of ours', async () => {
  const invariant = { id: 'bad', clauses: ['ERR-1'], title: 't', judge: broken } as const;
  const { run } = await against([statusIs200], {}, { runs: 2, invariants: [invariant] });
  expect((await run()).checks.map(({ verdict }) => verdict)).toEqual(['pass', 'error']);
});

test('lists a request during which our own code threw, and goes on', async () => {
  const thrown = stimulus({
    ...sizes,
    name: 'thrown',
    inputs: () => ({ examples: [1] }),
    send: async (size: number, sender, info) => {
      const draft = chatDraft({ model: info.models[0].id, messages: [], max_tokens: size });
      return { exchanges: [await sender.send({ ...draft, credential: forgedBadly })] };
    },
  });
  const { run } = await against([{ ...statusIs200, id: 'bad', given: thrown }, statusIs200], {}, { runs: 2 });
  const { checks, uncertain } = await run();
  expect(checks.map(({ verdict }) => verdict)).toEqual(['error', 'pass']);
  expect(uncertain.map(({ id, reason }) => `${id}: ${reason}`)).toEqual(['thrown/0/0: internal error: ours']);
});

const forgedBadly = { kind: 'forged', label: 'bad', header: broken } as const;

const LONG = { status: 200, body: JSON.stringify({ choices: [], more: 'x'.repeat(2 ** 21) }) };

test('judges no answer that is too long to be kept, unless a profile says to keep more', async () => {
  const { run } = await against([statusIs200], { chat: () => LONG }, { runs: 2 });
  const { checks } = await run();
  expect(checks[0]).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining(`its answer has ${LONG.body.length} bytes, of which 26`),
  });
  const profile = { limits: { answerBytes: 2 ** 22 } };
  const patient = await against([statusIs200], { chat: () => LONG }, { runs: 2 }, profile);
  expect((await patient.run()).checks[0]).toMatchObject({ verdict: 'pass' });
});
