import { mkdtempSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readJournal } from '../../suites/kit/journal/read-journal.ts';
import type { Summary } from '../../suites/kit/model/summary.ts';
import { recordedFindings } from '../../suites/kit/recorded/recorded-findings.ts';
import { summarise } from '../../suites/kit/summary/summarise.ts';
import { KeyRing } from './key-ring.ts';
import { Observer } from './observer.ts';
import { belowBase, exchangeOf } from './passed-exchange.ts';
import { beginJournal } from './proxy-journal.ts';
import { BodyRoom, KeptBody, type RelayedExchange, type RelayEnd } from './relayed-exchange.ts';
import { SERVICE_JUDGEMENTS } from './service-judgements.ts';

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
    isRepeat: false,
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

test('takes whatever secret a request carries out of the answer that repeats it', async () => {
  const { rawHeaders, answer, ...passed } = chat({ n: 1 });
  if (answer === undefined) throw new Error('it has an answer');
  const secrets = [
    'X-Goog-Api-Key',
    'sk-goog-0001',
    'Cookie',
    'a=sk-cookie-0001',
    'X-Auth-Token',
    'sk-auth-0001',
  ];
  const url = `${passed.url}?api_key=sk-parameter-0001`;
  const body = bodyOf(`${secrets.join()} sk-parameter-0001 sk-cookie-0001`);
  const relayed = { ...passed, url, rawHeaders: [...rawHeaders, ...secrets], answer: { ...answer, body } };
  const { request, outcome } = await exchangeOf(relayed, '/v1', new KeyRing());
  if (outcome.kind !== 'answered') throw new Error('it was answered');
  expect(JSON.stringify(request)).not.toContain('sk-');
  expect(Buffer.from(outcome.answer.body).toString()).not.toContain('sk-');
});

test('keeps what was found in exchanges that it no longer holds, and says how many they are', async () => {
  const passed = [1, 2, ...Array.from({ length: 20 }, (_, i) => i + 3)].map((n) =>
    chat({ n, ...(n < 3 && { key: 'same' }) }),
  );
  const summary = await judged(passed, 6);
  expect(verdict(summary, 'fresh-key-per-request')).toBe('fail');
  expect(summary.spent).toMatchObject({ requests: 22, completions: 22 });
  expect(summary.warnings).toEqual([expect.stringMatching(/^the first \d+ requests are no longer held/)]);
});

test('keeps the latest of what passed in two journals of bounded size, and what was found before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'journal.ndjson');
  const largest = 60_000;
  const baseUrl = 'http://127.0.0.1:1/v1';
  const journal = beginJournal(openSync(file, 'ax', 0o600), file, baseUrl, { largest });
  const observer = new Observer({ baseUrl, ring: new KeyRing(), journal });
  for (let n = 1; n <= 200; n += 1)
    observer.note(chat({ n, text: 'a'.repeat(1000), ...(n < 3 && { key: 'same' }) }));
  const summary = await observer.summary();
  await observer.finish(summary);
  journal.close();
  expect([verdict(summary, 'fresh-key-per-request'), summary.spent.requests]).toEqual(['fail', 200]);
  const names = ['journal-before.ndjson', 'journal.ndjson'];
  expect(readdirSync(folder).toSorted()).toEqual(names);
  const kept = names.map((name) => {
    const { size, mode } = statSync(join(folder, name));
    const recording = readJournal(join(folder, name));
    const { outcome } = summarise(recordedFindings(recording, SERVICE_JUDGEMENTS));
    expect([mode & 0o777, size < 2 * largest, outcome]).toEqual([0o600, true, 'conformant']);
    return recording.record.map(({ id }) => Number(id.split('/')[1]));
  });
  const numbers = kept.flat();
  expect(numbers).toEqual(Array.from(numbers, (_, i) => 200 - numbers.length + 1 + i));
  expect(kept[0]?.length).toBeGreaterThan(10);
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
