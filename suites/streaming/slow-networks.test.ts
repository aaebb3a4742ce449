import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import type { Exchange, Piece } from '../engine/model/exchange.ts';
import { answered, answeredGet } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { streamIsBuffered } from './stream-is-buffered.ts';

const INFO = infoForTest();

interface Network {
  readonly roundTripMs: number;
  readonly bytesPerSecond: number;
  /** The most by which a segment comes later than the others. */
  readonly jitterMs: number;
}

interface Write {
  readonly at: number;
  readonly bytes: number;
}

const HEAD_BYTES = 190;
const SEGMENT_BYTES = 1460;

/** Segments that leave in the first round trip; in each further one twice as many (RFC 6928). */
const INITIAL_WINDOW = 10;

/** When what is written arrives: half a round trip later, at the width of the line, with the slow start of TCP. */
function arrivals(writes: readonly Write[], { roundTripMs, bytesPerSecond, jitterMs }: Network): Piece[] {
  const pieces: Piece[] = [];
  let upTo = 0;
  let lineFreeAt = (writes[0]?.at ?? 0) + (1000 * HEAD_BYTES) / bytesPerSecond;
  for (const { at, bytes } of writes)
    for (let sent = 0; sent < bytes; sent += SEGMENT_BYTES) {
      const segment = Math.min(SEGMENT_BYTES, bytes - sent);
      const rounds = Math.floor(Math.log2(sent / SEGMENT_BYTES / INITIAL_WINDOW + 1));
      lineFreeAt = Math.max(at + rounds * roundTripMs, lineFreeAt) + (1000 * segment) / bytesPerSecond;
      const late = ((upTo * 7919) % 97) / 97;
      const earlier = pieces.at(-1)?.at ?? 0;
      upTo += segment;
      pieces.push({ at: Math.max(earlier, lineFreeAt + roundTripMs / 2 + late * jitterMs), upTo });
    }
  return pieces;
}

/** How a service writes a stream: all of it when the model has completed, or as the model writes it. */
type Writing = 'at-once' | 'event-by-event' | 'trickling' | 'first-half-early';

/** When a model that begins at `from` and takes so long has written each event. */
function writesOf(writing: Writing, events: readonly string[], from: number, took: number): readonly Write[] {
  const share = (i: number): number => {
    if (writing === 'trickling') return 0.05 + (0.95 * i) / (events.length - 1);
    return writing === 'first-half-early' && i < events.length / 2 ? 0.25 : 1;
  };
  const writes = events.map(({ length: bytes }, i) => ({ at: from + took * share(i), bytes }));
  if (writing !== 'at-once') return writes;
  return [{ at: from + took, bytes: writes.reduce((sum, { bytes }) => sum + bytes, 0) }];
}

/** What a run sees of a service: a quick read, three streams and two whole answers. */
function rulingOn(writing: Writing, network: Network, modelMs: number, count: number): string {
  const from = network.roundTripMs / 2;
  const events = Array.from({ length: count }, (_, i) => {
    const isLast = i === count - 1;
    const choices = [{ index: 0, delta: { content: ` number-${i}` }, finish_reason: isLast ? 'stop' : null }];
    const usage = isLast ? { prompt_tokens: 9, completion_tokens: count } : undefined;
    return `data: ${JSON.stringify({ id: 'c-1234567890', object: 'chat.completion.chunk', choices, usage })}\n\n`;
  });
  const chat = { model: 'small', messages: [] };
  const stream = (slower: number): Exchange => {
    const pieces = arrivals(writesOf(writing, events, from, modelMs * slower), network);
    const headers = { 'content-type': 'text/event-stream' };
    return answered({ body: events.join(''), headers, pieces }, { ...chat, stream: true });
  };
  const whole = (slower: number): Exchange => {
    const body = JSON.stringify({ choices: [{ message: { content: 'number '.repeat(count) } }] });
    const pieces = arrivals([{ at: from + modelMs * slower, bytes: body.length }], network);
    return answered({ body, pieces }, chat);
  };
  const list = JSON.stringify({ data: [{ id: 'small', owned_by: 'us' }] });
  const quick = answeredGet(ENDPOINTS.models, {
    body: list,
    pieces: arrivals([{ at: from + 1, bytes: list.length }], network),
  });
  const exchanges = [quick, stream(1), stream(1.1), stream(1.2), whole(1.05), whole(1.15)];
  return ruled(streamIsBuffered, { exchanges }, INFO).kind;
}

/** From a slow modem to a fast line. */
function networks(furthestMs: number, slowest = 4e3): fc.Arbitrary<Network> {
  const roundTripMs = fc.integer({ min: 1, max: furthestMs });
  const bytesPerSecond = fc.constantFrom(4e3, 20e3, 100e3, 1e6, 100e6).filter((each) => each >= slowest);
  const jitter = fc.constantFrom(0, 0.3);
  return fc.tuple(roundTripMs, bytesPerSecond, jitter).map(([ms, rate, share]) => ({
    roundTripMs: ms,
    bytesPerSecond: rate,
    jitterMs: Math.min(50, share * ms),
  }));
}

const models = (fromMs: number): fc.Arbitrary<number> => fc.integer({ min: fromMs, max: 2000 });
const EVENTS = fc.constantFrom(60, 160);

test.each<[string, readonly Writing[], fc.Arbitrary<Network>, fc.Arbitrary<number>, RegExp]>([
  ['blames no buffered stream', ['at-once', 'event-by-event'], networks(400), models(0), /^(?!violated)/],
  ['blames every stream that trickles', ['trickling'], networks(200), models(600), /^violated$/],
  [
    'blames every stream that begins early',
    ['first-half-early'],
    networks(200, 1e5),
    models(1200),
    /^violated$/,
  ],
  [
    'passes no stream that begins early',
    ['trickling', 'first-half-early'],
    networks(400),
    models(60),
    /^(?!holds)/,
  ],
])('%s: %s', (_, writings, over, takes, expected) => {
  fc.assert(
    fc.property(fc.constantFrom(...writings), over, takes, EVENTS, (writing, network, modelMs, count) => {
      expect(rulingOn(writing, network, modelMs, count)).toMatch(expected);
    }),
    { numRuns: 25, seed: 1 },
  );
});
