import { expect, test } from 'vitest';
import type { Summary } from '../../suites/kit/model/summary.ts';
import { KeyRing } from './key-ring.ts';
import { Observer } from './observer.ts';
import { belowBase } from './passed-exchange.ts';
import { BodyRoom, KeptBody, type RelayedExchange, type RelayEnd } from './relayed-exchange.ts';

const ROOM = new BodyRoom();

function bodyOf(text: string, room = ROOM): KeptBody {
  const body = new KeptBody(room, 0);
  body.add(Buffer.from(text));
  return body;
}

interface Given {
  readonly n: number;
  readonly key?: string;
  readonly text?: string;
  readonly status?: number;
  readonly end?: RelayEnd;
  readonly room?: BodyRoom;
  readonly auth?: string;
}

/** A chat that passed, and its answer. */
function chat({
  n,
  key = `k-${n}`,
  text = `Wish ${n}`,
  status = 200,
  end,
  room,
  auth = 'Bearer the-key-0001',
}: Given): RelayedExchange {
  const request = { model: 'm', messages: [{ role: 'user', content: text }] };
  const choice = { index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' };
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const answer = bodyOf(JSON.stringify({ id: `c-${n}`, choices: [choice], usage }), room);
  const type = ['content-type', 'application/json'];
  return {
    n,
    at: new Date(0).toISOString(),
    arrivedAt: performance.now(),
    method: 'POST',
    url: '/v1/chat/completions',
    rawHeaders: ['authorization', auth, 'idempotency-key', key, ...type],
    body: bodyOf(JSON.stringify(request)),
    answer: { status, rawHeaders: type, headersAt: performance.now(), body: answer },
    end: end ?? { kind: 'whole' },
    endedAt: performance.now(),
  };
}

async function judged(passed: readonly RelayedExchange[], mostHeld?: number): Promise<Summary> {
  const options = mostHeld === undefined ? {} : { mostHeld };
  const observer = new Observer({ baseUrl: 'http://127.0.0.1:1/v1', ring: new KeyRing(), ...options });
  for (const relayed of passed) observer.note(relayed);
  return observer.summary();
}

function verdict({ checks }: Summary, id: string): string | undefined {
  return checks.find((each) => each.id === id)?.verdict;
}

test('keeps what was found in exchanges that it no longer holds, and says how many they are', async () => {
  const passed = [1, 2, ...Array.from({ length: 20 }, (_, i) => i + 3)].map((n) =>
    chat({ n, ...(n < 3 && { key: 'same' }) }),
  );
  const summary = await judged(passed, 6);
  expect(verdict(summary, 'fresh-key-per-request')).toBe('fail');
  expect(summary.spent).toMatchObject({ requests: 22, completions: 22 });
  expect(summary.warnings).toEqual([expect.stringMatching(/^the first \d+ requests are no longer held/)]);
});

test('is incomplete where no chat was accepted, whatever it no longer holds', async () => {
  const { outcome, cutShort } = await judged([chat({ n: 1, status: 429 })]);
  expect({ outcome, cutShort }).toEqual({
    outcome: 'incomplete',
    cutShort: ['no chat that passed was accepted: nothing is known about completions'],
  });
  const later = Array.from({ length: 20 }, (_, i) => chat({ n: i + 2, status: 429 }));
  expect((await judged([chat({ n: 1 }), ...later], 6)).cutShort).toEqual([]);
});

test('is incomplete where there was no room to record an exchange, and gives the room back', async () => {
  const room = new BodyRoom(10);
  const summary = await judged([chat({ n: 1 }), chat({ n: 2, room })]);
  expect(summary.outcome).toBe('incomplete');
  expect(summary.cutShort).toEqual([
    '1 of 2 requests passed unrecorded: too much at once, too many keys, or too long a key',
  ]);
  expect(room.take(10)).toBe(true);
});

test('judges callers with different keys apart', async () => {
  const refused = { status: 429 };
  const at = [chat({ n: 1, ...refused }), chat({ n: 2, auth: 'Bearer the-key-0002' })];
  const { checks } = await judged(at);
  expect(checks.filter((each) => each.verdict === 'fail' && each.clauses[0]?.startsWith('CALL'))).toEqual([]);
});

test('lists what ended without an answer as uncertain', async () => {
  const { uncertain, outcome } = await judged([
    chat({ n: 1 }),
    chat({ n: 2, end: { kind: 'cut', why: 'ECONNRESET' } }),
  ]);
  expect(uncertain.map(({ reason }) => reason)).toEqual(['the connection broke: ECONNRESET']);
  expect(outcome).toBe('conformant');
});

test('names a path outside the base URL by the way to it', () => {
  expect(belowBase('/v1/models', '/v1')).toBe('/models');
  expect(belowBase('/v1?x', '/v1')).toBe('?x');
  expect(belowBase('/v10/models', '/v1')).toBe('/../v10/models');
  expect(belowBase('/models', '/api/v1')).toBe('/../../models');
});
