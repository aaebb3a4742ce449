import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import { type Check, check } from '../model/check.ts';
import { HOLDS, inconclusive, notExercised, observed, violated } from '../model/ruling.ts';
import type { Caps } from '../model/run.ts';
import { type Cost, stimulus, type Stimulus, type Trial } from '../model/stimulus.ts';
import { answerOf } from '../reading/answers.ts';
import { knownToFail, runOptions, serve } from '../test-support/service.ts';
import { runSuites } from './run-suites.ts';

const SERVED = JSON.stringify({ choices: [{ message: { content: 'x' } }] });

/** How the service answers a chat for the draw `nth` of a stimulus. */
type Service = (name: string, nth: number) => number | Promise<number>;

/** A run with few inputs of these checks: its summary, and the draws that arrived, in their order. */
async function runOf(
  checks: readonly Check[],
  service: Service = () => 200,
  caps: Partial<Caps> = {},
  known: readonly string[] = [],
  concurrency = 1,
) {
  const arrived: string[] = [];
  const { baseUrl } = await serve(async ({ body }, response) => {
    const [, name = '', nth = ''] = /"content":"(\w+) (\d+)"/.exec(body) ?? [];
    if (name !== '') arrived.push(name + nth);
    const status = name === '' ? 200 : await service(name, Number(nth));
    const answer = body === '' ? JSON.stringify({ data: [{ id: 'm' }] }) : SERVED;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(status === 200 ? answer : '{"error":{"code":"c","message":"m","request_id":"r"}}');
  });
  const options = runOptions(baseUrl, checks, {
    caps: { requests: 300, completions: 80, outputTokens: 16, ...caps },
    allow: new Set(['disruptive', 'costly']),
    known: knownToFail(...known),
    concurrency,
  });
  const summary = await runSuites(options);
  return { summary, arrived };
}

interface Asked extends Partial<Pick<Stimulus, 'firstCount' | 'stage' | 'untilDecided'>> {
  readonly alone?: true | ((nth: number) => boolean);
  readonly count?: number;
  readonly clause?: ClauseId;
  /** Whether its chats must be refused. */
  readonly refused?: boolean;
  readonly holds?: Check['holds'];
  /** Sends a chat of another one first, as its counterpart. */
  readonly after?: string;
  readonly cost?: Cost;
}

/** Sends `count` chats of its own; holds where each is answered as it must be. */
function asking(
  name: string,
  { count = 4, clause = 'SVC-1', refused = false, holds, after, cost, ...more }: Asked = {},
) {
  const given = stimulus<Trial, number>({
    name,
    stage: 'paid',
    cappedCount: count,
    fixedCount: count,
    ...more,
    inputs: () => ({ examples: Array.from({ length: count }, (_, nth) => nth) }),
    cost: () => cost ?? (refused ? { refused: 1 } : { served: 1 }),
    send: async (nth, sender, { models: [{ id: model }] }) => {
      const draftOf = (content: string) =>
        chatDraft({ model, messages: [{ role: 'user', content }], max_tokens: 16 });
      if (after !== undefined) await sender.sendCounterpart(draftOf(`${after} 0`));
      return { exchanges: [await sender.send(draftOf(`${name} ${nth}`))] };
    },
  });
  return check({
    id: name,
    clauses: [clause],
    title: 'answers as it must',
    given,
    holds:
      holds ??
      (({ exchanges: [exchange] }) => {
        const isServed = exchange !== undefined && answerOf(exchange).status === 200;
        return isServed === refused ? violated('wrong', 'right', 'wrong') : HOLDS;
      }),
  });
}

const OPEN = () => observed({ point: 'error.code', value: '/error/code' });

test('sends a further input of a stimulus that has to be decided only where those before it decide nothing', async () => {
  const early = ({ exchanges: [exchange] }: Trial) =>
    exchange?.id.startsWith('late/0') === true ? inconclusive('too early') : HOLDS;
  const { arrived, summary } = await runOf([
    asking('late', { count: 3, untilDecided: true, holds: early }),
    asking('soon', { count: 3, untilDecided: true }),
  ]);
  expect(arrived.toSorted()).toEqual(['late0', 'late1', 'soon0']);
  expect(summary.checks.map(({ verdict, inputs }) => [verdict, inputs])).toEqual([
    ['pass', undefined],
    ['pass', undefined],
  ]);
});

test('exercises every check once before it sends a second input of any', async () => {
  const { arrived } = await runOf([
    asking('a', { count: 3 }),
    asking('o', { count: 2, clause: 'ERR-9', holds: OPEN }),
    asking('b', { stage: 'costly', count: 2 }),
  ]);
  expect(arrived).toEqual(['a0', 'o0', 'b0', 'a1', 'a2', 'b1', 'o1']);
});

test.each([
  [80, 'longest', ['free0', 'long0', 'short0']],
  [9, 'cheapest', ['free0', 'short0', 'long0']],
])(
  'sends in each stage, of what costs up to 9 and under a cap of %i, the %s first',
  async (completions, _, order) => {
    const { arrived } = await runOf(
      [
        asking('short', { count: 1 }),
        asking('long', { count: 1, cost: { served: 8 } }),
        asking('free', { stage: 'free', count: 1, cost: { refused: 1 } }),
      ],
      () => 200,
      { completions },
    );
    expect(arrived).toEqual(order);
  },
);

test('exercises every check within the caps, however much is served that must be refused', async () => {
  const lax = Array.from({ length: 8 }, (_, i) =>
    asking(`l${i}`, { stage: 'free', count: 9, refused: true }),
  );
  const { summary } = await runOf([...lax, asking('p')], () => 200, { completions: 12 });
  expect(summary.checks.map(({ verdict }) => verdict)).toEqual([...lax.map(() => 'fail'), 'pass']);
});

test('sends what is known to fail last, and only until it fails, whatever else its checks share', async () => {
  const lax = (name: string, count = 3) => asking(name, { stage: 'free', count, refused: true });
  const late: Service = (name, nth) => (name === 'k' && nth < 2 ? 400 : 200);
  const shared = lax('s');
  const checks = [lax('k', 5), asking('p', { count: 2 }), lax('n'), { ...shared, id: 'x' }, shared];
  const { arrived } = await runOf(checks, late, {}, ['k', 'x']);
  expect(arrived).toEqual(['n0', 's0', 'p0', 'p1', 'n1', 's1', 'n2', 's2', 'k0', 'k1', 'k2']);
});

test('is complete although what is known to fail leaves no room for all of it', async () => {
  const known = ['k', 'l', 'm'].map((name) => asking(name, { stage: 'free', refused: true }));
  const run = (ids: readonly string[]) => runOf([...known, asking('p')], () => 200, { completions: 7 }, ids);
  const { summary, arrived } = await run(['k', 'l', 'm']);
  expect(arrived).toEqual(['p0', 'p1', 'p2', 'p3', 'k0', 'l0']);
  expect(summary.cutShort).toEqual([]);
  expect(summary.warnings).toContain(
    'the cap of 7 completions was reached: open points and known failures got fewer inputs (m)',
  );
  expect((await run(['k', 'l'])).summary.cutShort).toEqual(['the cap of 7 completions was reached']);
});

test.each([200, 500])(
  'goes on last, and only until three are wrong, with what failed at first, answered %i',
  async (status) => {
    const checks = [asking('l', { stage: 'free', count: 9, refused: true }), asking('p', { count: 2 })];
    const { arrived } = await runOf(checks, (name) => (name === 'l' ? status : 200));
    expect(arrived).toEqual(['l0', 'p0', 'p1', 'l1', 'l2']);
  },
);

test('tries up to three more inputs before second ones where the first one decides nothing', async () => {
  let trials = 0;
  const holds = () => (++trials < 3 ? notExercised('it was served in both forms') : HOLDS);
  const { arrived } = await runOf([asking('u', { count: 9, holds }), asking('p', { count: 2 })]);
  expect(arrived.slice(0, 5)).toEqual(['u0', 'p0', 'u1', 'u2', 'p1']);
  const never = asking('n', { count: 9, holds: () => notExercised('never') });
  const { arrived: all } = await runOf([never, asking('p', { count: 2 })]);
  expect(all.slice(0, 6)).toEqual(['n0', 'p0', 'n1', 'n2', 'n3', 'p1']);
});

test('lets no draw hold a place while it waits for a counterpart that another has sent', async () => {
  const { promise: arrival, resolve: arrives } = Promise.withResolvers<number>();
  // The counterpart is answered once the chat of the third draw is there.
  const service: Service = (name) => {
    if (name === 'third') arrives(200);
    return name === 'counterpart' ? arrival : 200;
  };
  const one = { count: 1, after: 'counterpart' };
  const checks = [asking('first', one), asking('second', one), asking('third', { count: 1 })];
  const { arrived, summary } = await runOf(checks, service, {}, [], 2);
  expect(arrived.slice(0, 2)).toEqual(['counterpart0', 'third0']);
  expect(summary.outcome).toBe('conformant');
});

test('sends alone what asks for it, when all others are answered', async () => {
  const underWay = new Set<string>();
  const beside: string[] = [];
  const service: Service = async (name, nth) => {
    underWay.add(name + nth);
    if (name === 'alone') beside.push(...underWay);
    await setImmediate();
    underWay.delete(name + nth);
    return 200;
  };
  const checks = [asking('alone', { count: 2, alone: true }), asking('p'), asking('q')];
  const { arrived } = await runOf(checks, service, {}, [], 4);
  expect(beside).toEqual(['alone0', 'alone1']);
  expect(arrived.slice(-2)).toEqual(['alone0', 'alone1']);
});

test('keeps room under the caps for what goes alone', async () => {
  const checks = [asking('p', { count: 9 }), asking('alone', { count: 2, alone: true })];
  const { arrived } = await runOf(checks, () => 200, { completions: 5 });
  expect(arrived).toEqual(['p0', 'p1', 'p2', 'alone0']);
});

test('keeps it also while an input that need not go alone is under way', async () => {
  const { promise: arrival, resolve: arrives } = Promise.withResolvers<number>();
  // The first one takes as long as others are sent.
  const service: Service = (name, nth) => {
    if (name === 'p' && nth === 3) arrives(200);
    return name === 'last' && nth === 0 ? Promise.race([arrival, wait(200, 200)]) : 200;
  };
  const beside = ({ exchanges: [exchange] }: Trial) =>
    exchange?.id.startsWith('last/0') === true ? notExercised('it was not alone') : HOLDS;
  const alone = { alone: (nth: number) => nth > 0, untilDecided: true, holds: beside } as const;
  const checks = [asking('p', { count: 9 }), asking('last', { count: 2, ...alone })];
  const { arrived } = await runOf(checks, service, { completions: 6 }, [], 2);
  expect(arrived).toEqual(['p0', 'last0', 'p1', 'p2', 'last1']);
});

test.each([1, 2, 8])('sends the same draws of what fails, %i at a time', async (concurrency) => {
  const failing = asking('f', { count: 9, refused: true, stage: 'free' });
  const sometimes = (name: string, nth: number): number => (name === 'f' && nth % 3 === 2 ? 400 : 200);
  const { arrived } = await runOf([failing, asking('p')], sometimes, {}, [], concurrency);
  const all = ['f0', 'f1', 'f2', 'f3', 'p0', 'p1', 'p2', 'p3'];
  expect(arrived.toSorted()).toEqual(all);
});
