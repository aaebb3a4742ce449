import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import type { World } from '../../../mock-server/world/world.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { isChargeable, type Exchange } from '../../../suites/kit/model/exchange.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { planSpending } from '../../../suites/kit/planning/plan-spending.ts';
import {
  planOptionsOf,
  NO_SPENDING,
  type Spending,
  sumOf,
} from '../../../suites/kit/planning/spending-plan.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { askedOutput } from '../../../suites/kit/sending/sent-request.ts';
import { sizeOf } from '../../cli/check/check-defaults.ts';
import { isJson } from '../support/is-json.ts';
import { type Layer, type Meddling, type Seen, startLayer } from '../support/layer.ts';

const COMPLETION = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const SERVED = { status: 200, body: JSON.stringify(COMPLETION) };
const LIMITED = { status: 429, headers: { 'retry-after': '0' } };
const ERROR = JSON.stringify({ error: { code: 'x', message: 'No.', request_id: 'r' } });

const ofChats =
  (meddle: (seen: Seen) => Meddling) =>
  (seen: Seen): Meddling =>
    seen.method === 'GET' ? undefined : meddle(seen);

/** Ways to misbehave: to accept too much, to fail, to lose answers, to limit the rate. */
const MISBEHAVIOURS: Readonly<Record<string, (seen: Seen) => Meddling>> = {
  'keeps the specification': () => undefined,
  'accepts every POST': ofChats(() => SERVED),
  'drops unknown fields and wrong options': ofChats(repaired),
  'refuses every chat': ofChats(() => ({ status: 400, body: ERROR })),
  'fails at long chats': ofChats(({ body }) =>
    body.length > 150 ? { status: 500, body: ERROR } : undefined,
  ),
  'fails sometimes': ofChats(({ before }) => (before % 5 === 0 ? { status: 500 } : undefined)),
  'loses an answer sometimes': ofChats(({ before }) => (before % 7 === 0 ? 'cut' : undefined)),
  'closes the connection given invalid JSON': ofChats(({ body }) => (isJson(body) ? undefined : 'cut')),
  'is a gateway that fails': ofChats(() => ({ status: 502, body: '<html>' })),
  'limits the rate of every chat': ofChats(() => LIMITED),
  'limits the rate of every other request': ({ before }) => (before % 2 === 1 ? LIMITED : undefined),
  'limits the rate at first': ({ before }) => (before > 3 && before < 16 ? LIMITED : undefined),
};

function repaired({ body }: Seen): Meddling {
  if (!isJson(body)) return undefined;
  const chat: unknown = JSON.parse(body);
  if (typeof chat !== 'object' || chat === null || Array.isArray(chat)) return undefined;
  const { model, messages, stream } = chat as Record<string, unknown>;
  return { instead: JSON.stringify({ model, messages, max_tokens: 4, ...(stream === true && { stream }) }) };
}

const { choices, models, keys } = builtInWorld;

/** Targets that list little, and much. */
const WORLDS: Readonly<Record<string, World>> = {
  'the built-in one': builtInWorld,
  'one model, and lenient messages': {
    ...builtInWorld,
    models: models.slice(0, 1),
    keys: keys.map((key) => ({ ...key, models: ['compact-1'] })),
    choices: {
      ...choices,
      messages: { extraFields: 'ignore', emptyList: 'accept', emptyContent: 'accept' },
    },
  },
  'sixty models': {
    ...builtInWorld,
    models: Array.from({ length: 60 }, (_, i) => ({
      id: `model-${i}`,
      contextTokens: 2 ** (8 + (i % 9)),
      vision: i % 3 === 0,
      price: { input: 60 - i, output: 60 - i },
    })),
    keys: keys.map((key, i) => ({
      ...key,
      ...(key.scopes.length > 0 && {
        models: Array.from({ length: 30 + i }, (_, nth) => `model-${(nth * (i + 1)) % 60}`),
      }),
    })),
  },
};

const SIZES: Readonly<Record<string, Pick<RunOptions, 'runs' | 'caps' | 'withholds'>>> = {
  free: sizeOf('free', 'live'),
  smoke: sizeOf('smoke', 'live'),
  full: sizeOf('full', 'live'),
  'a full one without caps': {
    runs: 'few',
    caps: { requests: Infinity, completions: Infinity, outputTokens: 16 },
  },
  'one random draw of each': {
    runs: 1,
    caps: { requests: Infinity, completions: Infinity, outputTokens: 8 },
  },
  'small caps': { runs: 'few', caps: { requests: 40, completions: 7, outputTokens: 16 } },
};

/** The group an exchange belongs to; the counterparts of a simpler failure are counterparts like all others. */
function groupOf({ id }: Exchange): string {
  const [first = '', second = ''] = id.split('/');
  if (second.includes('~') || first === 'control') return 'counterparts';
  return first;
}

/** The output that chats of these groups ask for by their nature. */
const LONG: Readonly<Record<string, number>> = {
  'long-streams': 1024,
  'chats-with-room': 512,
  'rate-limit-burst': 64,
  'between-contexts': 4096,
  counterparts: 4096,
};

function spendingOf(exchange: Exchange, cap: number): Spending {
  const { request, outcome } = exchange;
  const isCompletion =
    isChargeable(request) &&
    (outcome.kind === 'uncertain' || (outcome.kind === 'answered' && outcome.answer.status < 300));
  if (!isCompletion) return { ...NO_SPENDING, requests: 1 };
  const asked = askedOutput(request.body);
  const isOpen = asked === 0 || asked > Math.max(cap, LONG[groupOf(exchange)] ?? 0);
  return { requests: 1, completions: 1, outputTokens: isOpen ? 0 : asked, open: isOpen ? 1 : 0 };
}

async function checked(layer: Layer, seed: number, size: keyof typeof SIZES) {
  const { primary = '', ...others } = layer.mock.keys;
  const exchanges: Exchange[] = [];
  const { runs, caps, withholds } = SIZES[size] ?? sizeOf('full', 'live');
  const options: RunOptions = {
    target: { baseUrl: layer.baseUrl, kind: 'live', keys: { primary, ...others }, profile: {}, headers: {} },
    checks: CHECKS,
    invariants: INVARIANTS,
    seed,
    runs,
    caps,
    ...(withholds !== undefined && { withholds }),
    concurrency: 1 + (seed % 8),
    timeoutMs: 20_000,
    allow: new Set(seed % 2 === 0 ? ['disruptive', 'costly'] : []),
    onExchange: (exchange) => exchanges.push(exchange),
  };
  const plan = planSpending(planOptionsOf(options));
  const summary = await runSuites(options);
  const sent = exchanges.filter(({ outcome }) => outcome.kind !== 'not-sent');
  return { plan, summary, sent, caps };
}

type Checked = Awaited<ReturnType<typeof checked>>;

function expectWithin(spent: Spending, planned: Spending, what: string): void {
  expect.soft(spent.requests, `${what}: requests`).toBeLessThanOrEqual(planned.requests);
  expect.soft(spent.completions, `${what}: completions`).toBeLessThanOrEqual(planned.completions);
  expect.soft(spent.open, `${what}: open`).toBeLessThanOrEqual(planned.open);
  expect.soft(spent.outputTokens, `${what}: output`).toBeLessThanOrEqual(planned.outputTokens);
}

function expectPlanKept({ plan, summary, sent, caps }: Checked): void {
  const again = sent.filter(({ id }) => /\.\d+$/.test(id));
  const planned = (name: string): Spending =>
    plan.groups.find((group) => group.name === name)?.atMost ?? NO_SPENDING;
  for (const [name, exchanges] of Map.groupBy(sent, groupOf)) {
    const spent = sumOf(exchanges.map((exchange) => spendingOf(exchange, caps.outputTokens)));
    const resent = exchanges.filter((exchange) => again.includes(exchange)).length;
    const bound =
      name === 'counterparts' ? sumOf([planned(name), planned('simpler-failures')]) : planned(name);
    expectWithin({ ...spent, requests: spent.requests - resent }, bound, name);
  }
  expect(again.length).toBeLessThanOrEqual(planned('sent-again').requests);
  expectWithin(sumOf(sent.map((exchange) => spendingOf(exchange, caps.outputTokens))), plan.atMost, 'all');
  expect(errorsIn(summary)).toEqual([]);
}

/** An `error` would say that a stimulus sent more than it declares. */
function errorsIn({ checks }: Summary): readonly string[] {
  return checks.filter(({ verdict }) => verdict === 'error').map(({ id, reason }) => `${id}: ${reason}`);
}

interface Combination {
  readonly seed: number;
  readonly misbehaviour: string;
  readonly world: string;
  readonly size: string;
}

const anyTarget: fc.Arbitrary<Combination> = fc.record({
  seed: fc.nat({ max: 1_000_000 }),
  misbehaviour: fc.constantFrom(...Object.keys(MISBEHAVIOURS)),
  world: fc.constantFrom(...Object.keys(WORLDS)),
  size: fc.constantFrom(...Object.keys(SIZES)),
});

/** Every misbehaviour, world and size once, before random combinations. */
const EVERY = Object.keys(MISBEHAVIOURS).map((misbehaviour, i): [Combination] => [
  {
    seed: i,
    misbehaviour,
    world: Object.keys(WORLDS)[i % 3] ?? '',
    size: Object.keys(SIZES)[(i + 1) % 6] ?? '',
  },
]);

test(
  'sends no more than the plan allows in any group, whatever the target does',
  { timeout: 300_000 },
  async () => {
    const holds = fc.asyncProperty(anyTarget, async ({ seed, misbehaviour, world, size }) => {
      const layer = await startLayer(MISBEHAVIOURS[misbehaviour] ?? (() => undefined), {
        world: WORLDS[world] ?? builtInWorld,
      });
      try {
        const result = await checked(layer, seed, size);
        expectPlanKept(result);
        expect(layer.arrived()).toBe(result.sent.length);
      } finally {
        await layer.close();
      }
    });
    await fc.assert(holds, { seed: 4, numRuns: EVERY.length + 12, examples: EVERY, endOnFailure: true });
  },
);

test.each(['smoke', 'full'])(
  'sends a conformant target no more than the plan says in the %s tier',
  async (size) => {
    for (const world of Object.values(WORLDS)) {
      const layer = await startLayer(() => undefined, { world });
      const { plan, summary } = await checked(layer, 1, size);
      await layer.close();
      expect(summary.spent.completions).toBeLessThanOrEqual(plan.ifKept.completions);
      expect(summary.spent.requests).toBeLessThanOrEqual(plan.ifKept.requests);
    }
  },
);
