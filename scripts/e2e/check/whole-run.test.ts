import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { HEADERS } from '../../../fixtures/chats/chat.ts';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import type { Check } from '../../../suites/engine/model/check.ts';
import type { Exchange } from '../../../suites/engine/model/exchange.ts';
import type { Meddling, Seen } from '../support/layer.ts';
import { layeredRun } from '../support/layered-run.ts';

// Whole runs against the mock, each looked at from several sides.

const faithful = (): Meddling => undefined;

/** A service that breaks many clauses, the same way every time. */
function lenient({ method, body }: Seen): Meddling {
  if (method === 'GET' || !body.includes('"temperature"')) return undefined;
  return { instead: body.replaceAll(/"temperature":[^,}]+/g, '"temperature":0.5') };
}

const CAPS = { requests: 400, completions: 70, outputTokens: 16 };

const wholeRun = (
  meddle: (seen: Seen) => Meddling,
  { mock, ...more }: Parameters<typeof layeredRun>[1] = {},
) => layeredRun(meddle, { mock: { control: true, seed: 11, ...mock }, runs: 'few', ...more });

/** How many of these go out depends on how long the answers take: time is what they are about. */
const TIMED = /^(?:long-streams|idempotency-keys|rate-limit-burst)\//;

/** What was sent and what came, without what is new each time: keys, request IDs, times. */
function shown({ id, request, outcome }: Exchange): string {
  const answer = outcome.kind === 'answered' ? outcome.answer : undefined;
  const came = Buffer.from(answer?.body ?? []).toString();
  return [
    id,
    `${request.method} ${request.path} ${request.credential.kind}`,
    Buffer.from(request.body ?? []).toString('latin1'),
    `${outcome.kind} ${answer?.status}`,
    came.replaceAll(/req_[0-9a-f]+|chatcmpl-[\w-]+/g, 'ID'),
  ].join('\n');
}

function said({ summary: { checks, open }, exchanges }: Awaited<ReturnType<typeof wholeRun>>) {
  return {
    verdicts: checks.map(({ id, verdict, reason }) => `${id}: ${verdict} ${reason}`).toSorted(),
    // Whether a repeat overtakes the first is told by the machine, not by the seed.
    open: open.filter(({ point }) => point !== 'idempotency.in_flight'),
    exchanges: exchanges
      .filter(({ id }) => !TIMED.test(id))
      .map(shown)
      .toSorted(),
  };
}

/** In an order that has nothing to do with that of the catalogue. */
function shuffled(checks: readonly Check[]): readonly Check[] {
  const place = ({ id }: Check): string => hash('sha256', `shuffle ${id}`);
  return checks.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

test('finds nothing wrong in the mock within the caps of a live target, and says the same in any order', async () => {
  const one = await wholeRun(faithful, { caps: CAPS, allow: new Set(), concurrency: 1 });
  const { outcome, checks, spent, cutShort } = one.summary;
  expect([outcome, cutShort]).toEqual(['conformant', []]);
  const silent = checks.filter(({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive');
  // No front stands before the mock, whose pages one check looks at.
  const others = silent.filter(({ id }) => id !== 'front-error-object').map(({ reason }) => reason);
  expect(others.filter((reason) => !reason.includes('--allow'))).toEqual([]);
  expect(spent.requests).toBeLessThanOrEqual(CAPS.requests);
  expect(spent.completions).toBeLessThanOrEqual(CAPS.completions);
  const all = { caps: CAPS, allow: new Set<never>(), checks: shuffled(CHECKS), concurrency: 12 };
  expect(said(await wholeRun(faithful, all))).toEqual(said(one));
});

test('says the same of a service that breaks clauses, in any order and of each check alone', async () => {
  const one = await wholeRun(lenient, { concurrency: 1 });
  expect(one.summary.outcome).toBe('violations');
  const all = said(one);
  expect(said(await wholeRun(lenient, { checks: shuffled(CHECKS), concurrency: 12 }))).toEqual(all);
  for (const check of CHECKS) {
    const alone = said(await wholeRun(lenient, { checks: [check] })).verdicts;
    expect(all.verdicts).toContain(alone.find((line) => line.startsWith(`${check.id}: `)));
  }
});

/** Refuses now and then for the rate: every other request of the tested client, and every ninth of the others. */
function limiting(): (seen: Seen) => Meddling {
  const counts = { chats: 0, byClient: 0 };
  return ({ method, headers, before }) => {
    if (method !== 'POST') return undefined;
    const isByClient = headers['user-agent']?.startsWith('OpenAI') === true;
    const nth = isByClient ? (counts.byClient += 1) : (counts.chats += 1);
    if (isByClient ? nth % 2 === 0 : nth % 9 !== 0) return undefined;
    const error = { code: 'rate_limit', message: 'Too many requests.', request_id: `r-${before}` };
    return { status: 429, headers: { 'retry-after': '0' }, body: JSON.stringify({ error }) };
  };
}

test('gives the same verdicts with a rate limit, at every concurrency', async () => {
  // A busy machine changes what is judged by the clock.
  const checks = CHECKS.filter(({ given }) => given.name !== 'long-streams');
  const options = { checks, mock: { control: false }, caps: CAPS, allow: new Set<never>() };
  const { verdicts, open } = said(await wholeRun(lenient, { ...options, concurrency: 1 }));
  for (const concurrency of [1, 16]) {
    const limit = limiting();
    const limited = (seen: Seen): Meddling => limit(seen) ?? lenient(seen);
    expect(said(await wholeRun(limited, { ...options, concurrency }))).toMatchObject({ verdicts, open });
  }
});

const OBSERVES_KEYS = /^idempotency-keys\//;

test('sends no Idempotency-Key twice, but where repeated keys are observed, to a target that limits its rate', async () => {
  const { summary, exchanges } = await wholeRun(limiting(), { allow: new Set(['disruptive', 'costly']) });
  expect([summary.outcome, summary.cutShort]).toEqual(['conformant', []]);
  const keyed = exchanges.flatMap(({ id, request, outcome }) => {
    const key = request.headers[HEADERS.idempotencyKey];
    return key === undefined || outcome.kind === 'not-sent' || OBSERVES_KEYS.test(id) ? [] : [{ id, key }];
  });
  expect(keyed.length).toBeGreaterThan(200);
  expect(keyed.some(({ id }) => /^client-.*\.2$/.test(id))).toBe(true);
  const uses = Map.groupBy(keyed, ({ key }) => key);
  const repeated = [...uses.values()].filter(({ length }) => length > 1);
  expect(repeated.map((each) => each.map(({ id }) => id))).toEqual([]);
});

test('finds nothing wrong in chosen answers', async () => {
  const answers = [
    'text="Grüße 🌿" times=20',
    'template="{{user}} and so on, as you said." matches=".+" every=3',
    'tokens=40 every=2 usage.input=9',
    'headers.x-cache=hit finish=content_filter usage.output=2',
  ];
  const { summary } = await wholeRun(faithful, { mock: { answers } });
  expect(summary.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  expect(summary.outcome).toBe('conformant');
});

test('decides nothing about the workspace given the control URL of a replica that gets no chat', async () => {
  const other = await openMock({ control: true });
  const checks = CHECKS.filter(({ given }) => given.stage === 'control');
  const control = { url: other.control ?? '', patienceMs: 50 };
  const { summary } = await layeredRun(faithful, { checks, control, runs: 'few' });
  const verdicts = new Map(summary.checks.map(({ id, verdict }) => [id, verdict]));
  expect([...verdicts.values()].filter((verdict) => /fail|warn|error/.test(verdict))).toEqual([]);
  expect(checks.filter(({ id }) => verdicts.get(id) === 'pass').map(({ id }) => id)).toEqual([]);
  for (const id of ['success-is-debited', 'refusal-costs-nothing', 'uncertain-stays-under-review'])
    expect([id, verdicts.get(id)]).toEqual([id, 'inconclusive']);
});
