import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import type { World } from '../../../mock-server/world/world.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { isChargeable, type Exchange } from '../../../suites/kit/model/exchange.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import type { Profile } from '../../../suites/kit/model/target.ts';
import { planOptionsOf } from '../../../suites/kit/planning/planned-stimuli.ts';
import { planSpending } from '../../../suites/kit/planning/spending-plan.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
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
  'random draws': { runs: 2, caps: { requests: 500, completions: 120, outputTokens: 8 } },
  'small caps': { runs: 'few', caps: { requests: 40, completions: 7, outputTokens: 16 } },
};

/** What a request may have cost: a success, a failure that may have come after the debit, or an unknown outcome. */
function mayBeCompletion({ request, outcome }: Exchange): boolean {
  if (!isChargeable(request) || outcome.kind === 'not-sent') return false;
  return outcome.kind === 'uncertain' || outcome.answer.status < 300;
}

async function checked(layer: Layer, seed: number, size: keyof typeof SIZES, profile: Profile = {}) {
  const { primary = '', ...others } = layer.mock.keys;
  const exchanges: Exchange[] = [];
  const { runs, caps, withholds } = SIZES[size] ?? sizeOf('full', 'live');
  const options: RunOptions = {
    target: { baseUrl: layer.baseUrl, kind: 'live', keys: { primary, ...others }, profile, headers: {} },
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
  const summary = await runSuites(options);
  const sent = exchanges.filter(({ outcome }) => outcome.kind !== 'not-sent');
  return { plan: planSpending(planOptionsOf(options)), summary, sent, caps };
}

function expectCapsKept({ summary, sent, caps }: Awaited<ReturnType<typeof checked>>): void {
  expect.soft(sent.length, 'requests').toBeLessThanOrEqual(caps.requests);
  expect.soft(sent.filter(mayBeCompletion).length, 'completions').toBeLessThanOrEqual(caps.completions);
  const errors = summary.checks.filter(({ verdict }) => verdict === 'error');
  expect(errors.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
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
    size: Object.keys(SIZES)[(i + 1) % 5] ?? '',
  },
]);

test('sends no more than the caps allow, whatever the target does', { timeout: 300_000 }, async () => {
  const holds = fc.asyncProperty(anyTarget, async ({ seed, misbehaviour, world, size }) => {
    const layer = await startLayer(MISBEHAVIOURS[misbehaviour] ?? (() => undefined), {
      world: WORLDS[world] ?? builtInWorld,
    });
    try {
      const result = await checked(layer, seed, size);
      expectCapsKept(result);
      expect(layer.arrived()).toBe(result.sent.length);
    } finally {
      await layer.close();
    }
  });
  await fc.assert(holds, { seed: 4, numRuns: EVERY.length + 12, examples: EVERY, endOnFailure: true });
});

test.each(['smoke', 'full'])(
  'sends a conformant target that is known no more than the plan says in the %s tier',
  async (size) => {
    for (const world of Object.values(WORLDS)) {
      const layer = await startLayer(() => undefined, { world });
      const known = world.models.map(({ id, contextTokens, vision }) => [id, { contextTokens, vision }]);
      const { plan, summary } = await checked(layer, 1, size, { models: Object.fromEntries(known) });
      await layer.close();
      expect(summary.spent.completions).toBeLessThanOrEqual(plan.total.completions);
      expect(summary.spent.requests).toBeLessThanOrEqual(plan.total.requests);
    }
  },
);
