import { expect, test } from 'vitest';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import type { World } from '../../../mock-server/world/world-schema.ts';
import { isChargeable, type Exchange } from '../../../suites/engine/model/exchange.ts';
import type { RunOptions } from '../../../suites/engine/model/run.ts';
import { planSpending } from '../../../suites/engine/running/spending-plan.ts';
import { sizeOf } from '../../cli/options/check-table.ts';
import { isJson } from '../support/is-json.ts';
import type { Meddling, Seen } from '../support/layer.ts';
import { layeredRun } from '../support/layered-run.ts';

const COMPLETION = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const SERVED = { status: 200, body: JSON.stringify(COMPLETION) };
const LIMITED = { status: 429, headers: { 'retry-after': '0' } };
const ERROR = JSON.stringify({ error: { code: 'x', message: 'No.', request_id: 'r' } });

const FAILED = { status: 500, body: ERROR };

const ofChats =
  (meddle: (seen: Seen) => Meddling) =>
  (seen: Seen): Meddling =>
    seen.method === 'GET' ? undefined : meddle(seen);

/** What a service sees that drops unknown fields and wrong options. */
function repaired({ body }: Seen): Meddling {
  if (!isJson(body)) return undefined;
  const chat: unknown = JSON.parse(body);
  if (typeof chat !== 'object' || chat === null || Array.isArray(chat)) return undefined;
  const { model, messages, stream } = chat as Record<string, unknown>;
  return { instead: JSON.stringify({ model, messages, max_tokens: 4, ...(stream === true && { stream }) }) };
}

const { models, keys, choices } = builtInWorld;

const ONE_MODEL: World = {
  ...builtInWorld,
  models: models.slice(0, 1),
  keys: keys.map((key) => ({ ...key, models: ['compact-1'] })),
  choices: { ...choices, messages: { extraFields: 'ignore', emptyList: 'accept', emptyContent: 'accept' } },
};

const SIXTY_MODELS: World = {
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
};

const WORLDS = [builtInWorld, ONE_MODEL, SIXTY_MODELS];

const [FREE, SMOKE, FULL] = [sizeOf('free', 'live'), sizeOf('smoke', 'live'), sizeOf('full', 'live')];
const RANDOM = { runs: 2, caps: { requests: 200, completions: 50, outputTokens: 8 } };
const SMALL = { runs: 'few', caps: { requests: 40, completions: 7, outputTokens: 16 } } as const;

/** Ways to accept too much, to fail, to lose answers, to limit the rate; each meets a run of this size. */
const MISBEHAVIOURS: readonly (readonly [
  string,
  Pick<RunOptions, 'runs' | 'caps' | 'withholds'>,
  (seen: Seen) => Meddling,
])[] = [
  ['keeps the specification', SMALL, () => undefined],
  ['accepts every POST', FREE, ofChats(() => SERVED)],
  ['accepts every POST, chats as well', FULL, ofChats(() => SERVED)],
  ['drops unknown fields and wrong options', FULL, ofChats(repaired)],
  ['refuses every chat', SMOKE, ofChats(() => ({ status: 400, body: ERROR }))],
  ['fails at long chats', FULL, ofChats(({ body }) => (body.length > 150 ? FAILED : undefined))],
  ['fails sometimes', RANDOM, ofChats(({ before }) => (before % 5 === 0 ? { status: 500 } : undefined))],
  ['loses an answer sometimes', FULL, ofChats(({ before }) => (before % 7 === 0 ? 'cut' : undefined))],
  ['closes the connection at invalid JSON', SMOKE, ofChats(({ body }) => (isJson(body) ? undefined : 'cut'))],
  ['is a gateway that fails', FREE, ofChats(() => ({ status: 502, body: '<html>' }))],
  ['limits the rate of every other request', FULL, ({ before }) => (before % 2 === 1 ? LIMITED : undefined)],
];

/** What a request may have cost: a success, a failure that may have come after the debit, or an unknown outcome. */
function mayBeCompletion({ request, outcome }: Exchange): boolean {
  if (!isChargeable(request) || outcome.kind === 'not-sent') return false;
  return outcome.kind === 'uncertain' || outcome.answer.status < 300;
}

test.each(MISBEHAVIOURS)(
  'sends no more than the caps allow given a target that %s',
  async (what, size, meddle) => {
    const nth = MISBEHAVIOURS.findIndex(([name]) => name === what);
    const world = WORLDS[nth % WORLDS.length] ?? builtInWorld;
    const allow = new Set(nth % 2 === 0 ? (['disruptive', 'costly'] as const) : []);
    const run = await layeredRun(meddle, { mock: { world }, kind: 'live', ...size, allow, seed: nth });
    const sent = run.exchanges.filter(({ outcome }) => outcome.kind !== 'not-sent');
    expect(sent.length).toBeLessThanOrEqual(size.caps.requests);
    expect(sent.filter(mayBeCompletion).length).toBeLessThanOrEqual(size.caps.completions);
    expect(run.layer.arrived()).toBe(sent.length);
    const errors = run.summary.checks.filter(({ verdict }) => verdict === 'error');
    expect(errors.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  },
);

test.each([
  ['few models, in the smoke tier', ONE_MODEL, SMOKE],
  ['many models, in the full tier', SIXTY_MODELS, FULL],
])('sends a conformant target that is known no more than the plan says: %s', async (_, world, size) => {
  const known = world.models.map(({ id, contextTokens, vision }) => [id, { contextTokens, vision }]);
  const run = await layeredRun(() => undefined, {
    mock: { world },
    kind: 'live',
    profile: { models: Object.fromEntries(known) },
    ...size,
    allow: new Set(),
  });
  const { total } = planSpending(run.options);
  expect(run.summary.spent.completions).toBeLessThanOrEqual(total.completions);
  expect(run.summary.spent.requests).toBeLessThanOrEqual(total.requests);
});
