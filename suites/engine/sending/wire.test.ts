import type { ServerResponse } from 'node:http';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import type { Caps } from '../model/run.ts';
import { type Arrival, openWire, serve } from '../test-support/service.ts';

const KEY = 'sk-wire-test-0123456789';
const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }], max_tokens: 4 };
const served = JSON.stringify({ choices: [], usage: { completion_tokens: 3 } });

type Handler = (arrival: Arrival, response: ServerResponse) => unknown;

/** A wire to a real server; `seen` holds every request that arrived. */
async function wireTo(handler: Handler, caps: Partial<Caps> = {}, concurrency = 4) {
  const { baseUrl, arrived: seen } = await serve(handler);
  const target = { keys: { primary: KEY }, headers: { 'x-extra': 'yes' } };
  const wire = openWire(baseUrl, { target, caps, concurrency });
  return { wire, seen };
}

const keysOf = (seen: readonly Arrival[]): number =>
  new Set(seen.map(({ request }) => request.headers['idempotency-key'])).size;

const always =
  (
    status: number,
    headers: Readonly<Record<string, string>> = {},
    body: string | Uint8Array = '{}',
  ): Handler =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

const SERVES = always(200, {}, served);
const LIMITS = always(429, { 'retry-after': '0' });

/** The answer to one chat that asks for a coding, or for what these headers say. */
async function answerIn(coding: string, body: Uint8Array | string, headers: object = ACCEPTING) {
  const { wire, seen } = await wireTo(always(200, { 'content-encoding': coding }, body));
  const { outcome } = await wire.sender('s/0').send(chatDraft(chat, { headers: { ...headers } }));
  if (outcome.kind !== 'answered') throw new TypeError(outcome.reason);
  return { answer: outcome.answer, wire, seen };
}

test('sends the key, a fresh Idempotency-Key a request, and the extra headers', async () => {
  const { wire, seen } = await wireTo(SERVES);
  const sender = wire.sender('s/0');
  const exchanges = [await sender.send(chatDraft(chat)), await sender.send(chatDraft(chat))];
  expect(exchanges.map(({ id }) => id)).toEqual(['s/0/0', 's/0/1']);
  expect(seen[0]?.request.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-extra': 'yes' });
  expect(keysOf(seen)).toBe(2);
  expect(wire.budget.spent).toEqual({ requests: 2, completions: 2 });
});

const ACCEPTING = { 'accept-encoding': 'gzip, deflate' };
const plain = Buffer.from(served);

test.each<[string, string, Uint8Array]>([
  ['gzip', 'gzip', gzipSync(served)],
  ['deflate', 'Deflate', deflateSync(served)],
  ['Zstandard', 'zstd', zstdCompressSync(served)],
  ['two codings', 'deflate, gzip', gzipSync(deflateSync(served))],
])('keeps the text of an answer in %s that was asked for', async (_, coding, body) => {
  const { answer } = await answerIn(coding, body);
  expect(Buffer.from(answer.body).toString()).toBe(served);
  expect([answer.decoded, answer.headers['content-encoding']]).toEqual([true, coding]);
  expect(answer.pieces).toEqual([{ at: expect.any(Number), upTo: served.length }]);
});

test.each<[string, string, Uint8Array, object?]>([
  ['plain text', 'gzip', plain],
  ['another coding', 'gzip', deflateSync(served)],
  ['a coding that nobody knows', 'utf-8', plain],
  ['a corrupt body', 'gzip', gzipSync(served).map((byte, i, all) => (i === all.length - 6 ? ~byte : byte))],
  ['a coding that was not asked for', 'gzip', gzipSync(served), {}],
])('keeps %s that is labelled %s as it came', async (_, coding, body, headers) => {
  const { answer, seen } = await answerIn(coding, body, headers);
  expect(seen[0]?.request.headers).toMatchObject(
    headers === undefined ? ACCEPTING : { 'accept-encoding': 'identity' },
  );
  expect(answer.decoded).toBeUndefined();
  // What can be read in another way goes through the redaction, which may withhold it.
  expect(plain.equals(answer.body)).toBe(plain.equals(body));
});

test('takes what is larger than any answer once it is decoded for uncertain, and keeps a part of less', async () => {
  const bodies = [40, 3].map((mebibytes) => gzipSync(Buffer.alloc(mebibytes * 1024 * 1024, 'a')));
  const { wire } = await wireTo(({ nth }, response) =>
    response.setHeader('content-encoding', 'gzip').end(bodies[nth - 1]),
  );
  const sender = wire.sender('s/0');
  const draft = { ...chatDraft(chat), headers: ACCEPTING };
  expect((await sender.send(draft)).outcome).toMatchObject({ kind: 'uncertain' });
  const { outcome } = await sender.send(draft);
  expect(outcome).toMatchObject({ answer: { decoded: true, whole: { bytes: 3 * 1024 * 1024 } } });
});

test('removes a key from an answer in a coding, and keeps the rest', async () => {
  const { answer } = await answerIn('gzip', gzipSync(`{"echo":"Bearer ${KEY}"}`));
  expect(Buffer.from(answer.body).toString()).toBe('{"echo":"Bearer [key:primary]"}');
});

const JSON_TYPE = { 'content-type': 'application/json' };
const OVERLOADED = JSON.stringify({ error: { code: 'unavailable', message: 'Busy.', request_id: 'r-1' } });

const breaksOff: Handler = (_, response) =>
  response.writeHead(503, { 'content-length': '999' }).write(OVERLOADED, () => response.destroy());

test.each<[string, string, Handler]>([
  ['answered', 'a 503 with a whole error object', always(503, JSON_TYPE, OVERLOADED)],
  ['uncertain', 'one with another object', always(503, JSON_TYPE, '{"message":"Service Unavailable"}')],
  ['uncertain', 'one with half an error object', always(503, JSON_TYPE, '{"error":{"code":"x"}}')],
  ['uncertain', 'one with a page', always(503, JSON_TYPE, '<h1>503</h1>')],
  ['uncertain', 'one that breaks off', breaksOff],
  ['uncertain', 'a 502, whatever it carries', always(502, JSON_TYPE, OVERLOADED)],
  ['uncertain', 'a 504, whatever it carries', always(504, JSON_TYPE, OVERLOADED)],
])('is %s given %s', async (kind, _, handler) => {
  const { wire } = await wireTo(handler);
  expect((await wire.sender('s/0').send(chatDraft(chat))).outcome.kind).toBe(kind);
  expect(wire.budget.spent.completions).toBe(kind === 'uncertain' ? 1 : 0);
});

test('records no key, not even one the target echoes', async () => {
  const { wire } = await wireTo(({ request }, response) => {
    response.setHeader('x-echo', String(request.headers.authorization));
    response.end(
      JSON.stringify({ echo: request.headers, encoded: Buffer.from(`k=${KEY}`).toString('base64') }),
    );
  });
  const exchange = await wire.sender('s/0').send(chatDraft(chat));
  const all = JSON.stringify(exchange, (_, value: unknown) =>
    value instanceof Uint8Array || (value as { type?: string })?.type === 'Buffer'
      ? Buffer.from(value as Uint8Array).toString()
      : value,
  );
  expect(all).not.toContain(KEY);
  expect(
    Buffer.from(exchange.outcome.kind === 'answered' ? exchange.outcome.answer.body : []).toString(),
  ).toContain('Bearer [key:primary]');
});

test('never sends more requests or completions than the caps allow', async () => {
  const { wire, seen } = await wireTo(SERVES, { completions: 3 });
  const sender = wire.sender('s/0');
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => sender.send(chatDraft(chat))));
  expect(seen).toHaveLength(3);
  expect(outcomes.filter(({ outcome }) => outcome.kind === 'not-sent')).toHaveLength(17);
  expect(wire.budget.over).toBe('the cap of 3 completions was reached');
});

test('asks for no more output than the cap unless the draft says why it must', async () => {
  const { wire, seen } = await wireTo(SERVES, { outputTokens: 4 });
  const sender = wire.sender('s/0');
  const more = { ...chat, max_tokens: 5 };
  expect((await sender.send(chatDraft(more))).outcome.kind).toBe('not-sent');
  expect((await sender.send(chatDraft(more, { needsOutput: 5 }))).outcome.kind).toBe('answered');
  expect(seen).toHaveLength(1);
});

test.each([429, 503])('sends a request again after a %i that says when, under a new key', async (status) => {
  const { wire, seen } = await wireTo(({ nth }, response) => {
    if (nth > 2) return void response.end(served);
    response.writeHead(status, { ...JSON_TYPE, 'retry-after': '0' }).end(OVERLOADED);
  });
  const exchange = await wire.sender('s/0').send(chatDraft(chat));
  expect(exchange).toMatchObject({ id: 's/0/0.3', outcome: { kind: 'answered' } });
  expect(keysOf(seen)).toBe(3);
});

test('answers an equal counterpart from the record', async () => {
  const { wire, seen } = await wireTo(SERVES);
  const [one, two] = await Promise.all([
    wire.sender('a/0').sendCounterpart(chatDraft(chat)),
    wire.sender('b/0').sendCounterpart(chatDraft(chat)),
  ]);
  expect(one).toBe(two);
  expect(seen).toHaveLength(1);
});

const BUSY = always(429, { 'retry-after': '86400' });

test.each<[string, string, Handler, number, number]>([
  ['3 requests in a row had an uncertain outcome', 'three of them', always(502, {}, '<html>'), 3, 4],
  ['3 requests in a row got nothing but rate limit errors', 'five of them each', LIMITS, 15, 15],
  ['the target asks to wait 86400 s before anything more is sent', 'that', BUSY, 1, 1],
])('halts because %s given %s', async (halted, _, handler, chats, all) => {
  const { wire, seen } = await wireTo(handler, {}, 1);
  const sender = wire.sender('s/0');
  const sent = [];
  for (let i = 0; i < 5; i += 1) sent.push(await sender.send(chatDraft(chat)));
  expect([wire.halted, seen.length]).toEqual([halted, chats]);
  expect(sent.at(-1)?.outcome).toEqual({ kind: 'not-sent', reason: halted });
  expect(sent.some((exchange) => wire.gaveUpOn(exchange))).toBe(chats === all);
  // Uncertain outcomes end completions alone.
  await sender.send({ method: 'GET', path: '/models' });
  expect(seen).toHaveLength(all);
});
