import { expect, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { World } from '../world/world.ts';

const CHAT = { model: 'compact-1', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 };
/** Six tokens of input at 1, eight of output at 2; the text is longer than that. */
const WORST_CASE = 22;
const KEY = 'one';

async function withMock(options: MockOptions, use: (mock: Mock) => Promise<void>): Promise<void> {
  const limits = { ...builtInWorld.limits, drainMs: 200 };
  const mock = await startMock({ world: { ...builtInWorld, limits }, ...options });
  try {
    await use(mock);
    expect(mock.ledger.invariants()).toEqual([]);
  } finally {
    await mock.close();
  }
}

/** The status and the error code, or what else was answered; `none` for a connection that ended without. */
async function complete(mock: Mock, key = KEY, body: object = CHAT): Promise<string> {
  try {
    const response = await fetch(`${mock.url}/chat/completions`, {
      method: 'POST',
      signal: AbortSignal.timeout(10_000),
      headers: {
        authorization: `Bearer ${mock.keys['primary']}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const replayed = response.headers.get('idempotency-replayed') === 'true' ? ' again' : '';
    return `${response.status} ${/"code":"(\w+)"|<html|"choices"/.exec(text)?.[1] ?? 'answer'}${replayed}`;
  } catch {
    return 'none';
  }
}

const account = (mock: Mock): object => ({
  debited: mock.ledger.account('main')?.debited,
  held: mock.ledger.account('main')?.held,
});

test.each(['gateway_failure', 'connection_closed', 'connection_reset'])(
  'leaves a request under review with its reservation given %s while the reservation is held',
  async (fault) => {
    for (const phase of ['after-reservation', 'during-generation']) {
      await withMock({ faults: [`${fault} phase=${phase} times=1`] }, async (mock) => {
        expect(await complete(mock)).toMatch(/^(?:502 answer|none)$/);
        expect(mock.ledger.entries()).toMatchObject([
          { state: 'under_review', debit: null, idempotencyKey: KEY },
        ]);
        expect(account(mock)).toEqual({ debited: 0, held: WORST_CASE });
        expect(await complete(mock)).toBe('409 idempotency_under_review');
        expect(await complete(mock, KEY, { ...CHAT, max_tokens: 9 })).toBe('409 idempotency_under_review');
        expect(await complete(mock, 'two')).toBe('200 answer');
        expect(mock.ledger.entries()).toHaveLength(2);
      });
    }
  },
);

test.each(['gateway_failure', 'connection_closed', 'connection_reset'])(
  'reserves nothing given %s before the reservation',
  async (fault) => {
    for (const phase of ['before-authentication', 'after-validation']) {
      await withMock({ faults: [`${fault} phase=${phase} times=1`] }, async (mock) => {
        expect(await complete(mock)).toMatch(/^(?:502 answer|none)$/);
        expect(mock.ledger.entries()).toEqual([]);
        expect(await complete(mock)).toBe('200 answer');
      });
    }
  },
);

test.each([
  'gateway_failure phase=after-debit',
  'gateway_failure phase=before-headers',
  'connection_closed phase=after-debit',
  'connection_reset phase=before-headers',
  'connection_reset phase=inside-body',
  'body_cut',
])('debits once and keeps the answer for its key given %s', async (fault) => {
  await withMock({ faults: [`${fault} times=1`] }, async (mock) => {
    expect(await complete(mock)).toMatch(/^(?:502 answer|none)$/);
    expect(account(mock)).toEqual({ debited: WORST_CASE, held: 0 });
    expect([await complete(mock), await complete(mock)]).toEqual(['200 answer again', '200 answer again']);
    expect(account(mock)).toEqual({ debited: WORST_CASE, held: 0 });
  });
});

test('debits what a request under review owes once it is resolved as completed, and then has its answer', async () => {
  await withMock({ faults: ['gateway_failure times=1'] }, async (mock) => {
    await complete(mock);
    const { ledger } = mock.sandboxes.root.service;
    const requestId = mock.ledger.entries()[0]?.requestId ?? '';
    expect(ledger.resolve(requestId, 'completed')).toMatchObject({ state: 'succeeded', debit: WORST_CASE });
    expect(account(mock)).toEqual({ debited: WORST_CASE, held: 0 });
    expect(await complete(mock)).toBe('200 answer again');
    expect(ledger.resolve(requestId, 'failed')).toBeUndefined();
    expect(
      ledger.history(requestId).map(({ n, state, reservation, debit }) => [n, state, reservation, debit]),
    ).toEqual([
      [1, 'running', 'held', null],
      [2, 'under_review', 'under_review', null],
      [3, 'succeeded', 'consumed', WORST_CASE],
    ]);
  });
});

test('owes what the model makes of it, not what was reserved', async () => {
  const long = { ...CHAT, max_tokens: 500 };
  await withMock({ faults: ['gateway_failure times=1'] }, async (mock) => {
    await complete(mock, KEY, long);
    const { ledger } = mock.sandboxes.root.service;
    const resolved = ledger.resolve(mock.ledger.entries()[0]?.requestId ?? '', 'completed');
    await complete(mock, 'two', long);
    expect(resolved?.debit).toBe(mock.ledger.entries()[1]?.debit);
    expect(resolved?.debit).toBeLessThan(resolved?.reserved ?? 0);
  });
});

test('releases the reservation once it is resolved as failed, and serves its key again', async () => {
  await withMock({ faults: ['gateway_failure times=1'] }, async (mock) => {
    await complete(mock);
    const { ledger } = mock.sandboxes.root.service;
    const requestId = mock.ledger.entries()[0]?.requestId ?? '';
    expect(ledger.resolve(requestId, 'failed')).toMatchObject({ state: 'failed', debit: null });
    expect(account(mock)).toEqual({ debited: 0, held: 0 });
    expect(await complete(mock)).toBe('200 answer');
    expect(ledger.history().map(({ state }) => state)).toEqual([
      'running',
      'under_review',
      'failed',
      'running',
      'succeeded',
    ]);
  });
});

test('keeps a key under review whatever comes after it, and however long it takes', async () => {
  const idempotency = { ...builtInWorld.choices.idempotency, capacity: 2, retentionSeconds: 60 };
  const world: World = { ...builtInWorld, choices: { ...builtInWorld.choices, idempotency } };
  await withMock({ world, faults: ['connection_closed times=1'] }, async (mock) => {
    await complete(mock);
    for (let index = 0; index < 10; index += 1) {
      await complete(mock, `other ${index}`);
      mock.sandboxes.root.service.time.advance(3_600_000);
    }
    expect(await complete(mock)).toBe('409 idempotency_under_review');
  });
});

test.each([
  ['completes', 'succeeded', WORST_CASE, '200 answer again'],
  ['fails', 'failed', 0, '200 answer'],
])('lets the model go on unheard given then=%s', async (then, state, debited, repeated) => {
  await withMock(
    { latency: 60, faults: [`gateway_failure status=504 then=${then} times=1`] },
    async (mock) => {
      expect(await complete(mock)).toBe('504 answer');
      expect(mock.ledger.entries()).toMatchObject([{ state: 'running' }]);
      expect(await complete(mock)).toBe('409 idempotency_in_flight');
      await expect.poll(() => mock.ledger.entries()[0]?.state).toBe(state);
      expect(account(mock)).toEqual({ debited, held: 0 });
      expect(await complete(mock)).toBe(repeated);
    },
  );
});

test.each(['then=review', 'then=completes', 'then=fails'])(
  'gives the slot of a silent connection back once its client has gone, given timeout %s',
  async (then) => {
    const keys = builtInWorld.keys.map((key) => ({ ...key, concurrency: 1 }));
    await withMock(
      { world: { ...builtInWorld, keys }, faults: [`timeout ${then} times=1`] },
      async (mock) => {
        const gone = new AbortController();
        const silent = fetch(`${mock.url}/chat/completions`, {
          method: 'POST',
          signal: gone.signal,
          headers: { authorization: `Bearer ${mock.keys['primary']}`, 'content-type': 'application/json' },
          body: JSON.stringify(CHAT),
        });
        await expect.poll(() => mock.ledger.entries().length).toBe(1);
        expect(await complete(mock)).toBe('429 rate_limit');
        gone.abort();
        await expect(silent).rejects.toThrow('aborted');
        await expect.poll(() => complete(mock)).toMatch(/^200 answer/);
      },
    );
  },
);

test('journals each fault that triggers, each entry of the ledger, and the end', async () => {
  await withMock({ control: true, faults: ['gateway_failure times=1', 'body_cut bytes=3'] }, async (mock) => {
    await complete(mock);
    const { journal, service } = mock.sandboxes.root;
    const [first] = journal?.entries() ?? [];
    expect(first).toMatchObject({
      endpoint: 'chat',
      key: 'primary',
      idempotencyKey: KEY,
      phases: ['before-authentication', 'after-validation', 'after-reservation', 'during-generation'],
      fault: { rule: 'rule_1', fault: 'gateway_failure', phase: 'during-generation' },
      status: 502,
      ledger: [{ state: 'running' }, { state: 'under_review' }],
    });
    service.ledger.resolve(first?.requestId ?? '', 'completed');
    expect(first?.ledger).toHaveLength(3);
    await complete(mock, 'two');
    const second = journal?.entries()[1];
    await expect.poll(() => second?.ended).toBe('cut');
    expect(second).toMatchObject({ status: 200, fault: { fault: 'body_cut', phase: 'inside-body' } });
    expect(second?.bytesWritten).toBeGreaterThan(150);
  });
});
