import { expect, test } from 'vitest';
import type { Mock } from '../start-mock.ts';
import { CHAT, complete, COST, openMock, poorWorld } from '../test-support/open-mock.ts';

const KEY = 'one';

/** The status and the error code, or what else was answered; `none` for a connection that ended without. */
async function ask(mock: Mock, key = KEY, body: object = CHAT): Promise<string> {
  try {
    const response = await complete(mock, body, { 'idempotency-key': key }, AbortSignal.timeout(10_000));
    const text = await response.text();
    const replayed = response.headers.get('idempotency-replayed') === 'true' ? ' again' : '';
    return `${response.status} ${/"code":"(\w+)"|<html|"choices"/.exec(text)?.[1] ?? 'answer'}${replayed}`;
  } catch {
    return 'none';
  }
}

function account({ workspace }: Mock): object {
  const { debited, held } = workspace.account('main') ?? {};
  return { debited, held };
}

const LOSSES = ['gateway_failure', 'connection_closed', 'connection_reset'];
const at = (...phases: readonly string[]): readonly string[] =>
  LOSSES.flatMap((fault) => phases.map((phase) => `${fault} phase=${phase}`));

test.each(at('after-reservation', 'during-generation'))(
  'leaves a request under review with its reservation given %s',
  async (fault) => {
    const mock = await openMock({ faults: [`${fault} times=1`] });
    expect(await ask(mock)).toMatch(/^(?:502 answer|none)$/);
    const entry = { state: 'under_review', debit: null, idempotencyKey: KEY };
    expect(mock.workspace.entries()).toMatchObject([entry]);
    expect(account(mock)).toEqual({ debited: 0, held: COST });
    expect(await ask(mock)).toBe('409 idempotency_under_review');
    expect(await ask(mock, KEY, { ...CHAT, max_tokens: 9 })).toBe('409 idempotency_under_review');
    expect(await ask(mock, 'two')).toBe('200 answer');
    expect(mock.workspace.entries()).toHaveLength(2);
  },
);

test.each(at('before-authentication', 'after-validation'))('reserves nothing given %s', async (fault) => {
  const mock = await openMock({ faults: [`${fault} times=1`] });
  expect(await ask(mock)).toMatch(/^(?:502 answer|none)$/);
  expect(mock.workspace.entries()).toEqual([]);
  expect(await ask(mock)).toBe('200 answer');
});

test.each([
  'gateway_failure phase=after-debit',
  'gateway_failure phase=before-headers',
  'connection_closed phase=after-debit',
  'connection_reset phase=before-headers',
  'connection_reset phase=inside-body',
  'body_cut',
])('debits once and keeps the answer for its key given %s', async (fault) => {
  const mock = await openMock({ faults: [`${fault} times=1`] });
  expect(await ask(mock)).toMatch(/^(?:502 answer|none)$/);
  expect(account(mock)).toEqual({ debited: COST, held: 0 });
  expect([await ask(mock), await ask(mock)]).toEqual(['200 answer again', '200 answer again']);
  expect(account(mock)).toEqual({ debited: COST, held: 0 });
});

test.each([
  [
    'completed',
    { state: 'succeeded', debit: COST },
    { debited: COST, held: 0 },
    '200 answer again',
    ['held null', 'under_review null', `consumed ${COST}`],
  ],
  [
    'failed',
    { state: 'failed', debit: null },
    { debited: 0, held: 0 },
    '200 answer',
    ['held null', 'under_review null', 'released null'],
  ],
] as const)(
  'settles once what is under review, resolved as %s',
  async (how, entry, books, again, changes) => {
    const mock = await openMock({ faults: ['gateway_failure times=1'] });
    await ask(mock);
    const { ledger } = mock.sandboxes.root.service;
    const requestId = mock.workspace.entries()[0]?.requestId ?? '';
    expect(ledger.resolve(requestId, how)).toMatchObject(entry);
    expect(account(mock)).toEqual(books);
    expect(await ask(mock)).toBe(again);
    expect(ledger.resolve(requestId, 'failed')).toBeUndefined();
    const told = ledger.find(requestId)?.changes.map(({ reservation, debit }) => `${reservation} ${debit}`);
    expect(told).toEqual(changes);
  },
);

test('owes what the model makes of it, not what was reserved', async () => {
  const long = { ...CHAT, max_tokens: 500 };
  const mock = await openMock({ faults: ['gateway_failure times=1'] });
  await ask(mock, KEY, long);
  const { ledger } = mock.sandboxes.root.service;
  const resolved = ledger.resolve(mock.workspace.entries()[0]?.requestId ?? '', 'completed');
  await ask(mock, 'two', long);
  expect(resolved?.debit).toBe(mock.workspace.entries()[1]?.debit);
  expect(resolved?.debit).toBeLessThan(resolved?.reserved ?? 0);
});

test.each([
  ['completes', 'succeeded', COST, '200 answer again'],
  ['fails', 'failed', 0, '200 answer'],
])('lets the model go on unheard given then=%s', async (then, state, debited, repeated) => {
  const mock = await openMock({
    answers: ['latency=86400000 times=1'],
    faults: [`gateway_failure status=504 then=${then} times=1`],
  });
  expect(await ask(mock)).toBe('504 answer');
  expect(mock.workspace.entries()).toMatchObject([{ state: 'running' }]);
  expect(await ask(mock)).toBe('409 idempotency_in_flight');
  mock.sandboxes.flush();
  await expect.poll(() => mock.workspace.entries()[0]?.state).toBe(state);
  expect(account(mock)).toEqual({ debited, held: 0 });
  expect(await ask(mock)).toBe(repeated);
});

test.each(['then=review', 'then=completes', 'then=fails'])(
  'gives the slot of a silent connection back once its client has gone, given timeout %s',
  async (then) => {
    const mock = await openMock({ world: poorWorld(1e6, 1), faults: [`timeout ${then} times=1`] });
    const gone = new AbortController();
    const silent = complete(mock, CHAT, {}, gone.signal);
    await expect.poll(() => mock.workspace.entries().length).toBe(1);
    expect(await ask(mock)).toBe('429 rate_limit');
    gone.abort();
    await expect(silent).rejects.toThrow('aborted');
    await expect.poll(() => ask(mock)).toMatch(/^200 answer/);
  },
);
