import { createParser, type EventSourceMessage } from 'eventsource-parser';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUtf8 } from '../protocol/answer.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { ResponseChoices, StreamChoices } from '../world/world.ts';
import { type Completion, createWriteCompletion, jsonUtf8 } from './completion.ts';
import { createWriteEventStream, cutIntoPieces } from './event-stream.ts';

const text = 'Ein „kurzer“ Text,\n\r\n der 🌿 über mehrere Stücke geht. 今日は風が強い。';
const completion: Completion = {
  id: 'chatcmpl-1',
  modelJson: jsonUtf8('modèle'),
  created: 17,
  text: toUtf8(text),
  tokens: 20,
  inputTokens: 3,
  finishReason: 'length',
};
const { choices } = builtInWorld;

function write(stream: Partial<StreamChoices> = {}, response: Partial<ResponseChoices> = {}): string {
  const written = createWriteEventStream({
    ...choices,
    stream: { ...choices.stream, ...stream },
    response: { ...choices.response, ...response },
  })(completion);
  return Buffer.from(written, 'latin1').toString();
}

function events(written: string): readonly EventSourceMessage[] {
  const read: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => read.push(event),
    onError: (error) => {
      throw error;
    },
  });
  parser.feed(written);
  return read;
}

interface Chunk {
  readonly object: string;
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

const chunks = (written: string): readonly Chunk[] =>
  events(written)
    .map(({ data }) => data)
    .filter((data) => data.startsWith('{'))
    .map((data): Chunk => JSON.parse(data));

test('spells the role, the text in pieces, the finish reason, the usage and the terminator', () => {
  const written = write();
  const read = chunks(written);
  expect(events(written).at(-1)?.data).toBe('[DONE]');
  expect(written.endsWith('\n\n')).toBe(true);
  expect(read.flatMap((chunk) => chunk.choices.map(({ delta }) => delta.content ?? '')).join('')).toBe(text);
  const common = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 17, model: 'modèle' };
  expect(read[0]).toEqual({
    ...common,
    choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
  });
  expect(read.at(-2)).toEqual({ ...common, choices: [{ index: 0, delta: {}, finish_reason: 'length' }] });
  expect(read.at(-1)).toEqual({
    ...common,
    choices: [],
    usage: { prompt_tokens: 3, completion_tokens: 20, total_tokens: 23 },
  });
});

test('puts the finish reason at the root where the world says so', () => {
  expect(chunks(write({}, { finishReasonPlace: 'root', finishReasonField: 'why' })).at(-2)).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 17,
    model: 'modèle',
    choices: [{ index: 0, delta: {} }],
    why: 'length',
  });
});

test('spells the whole completion as one event where the world says so', () => {
  const [only, ...rest] = events(write({ framing: 'one-event', terminator: null }));
  expect(rest).toEqual([]);
  expect(only?.data).toBe(
    Buffer.from(createWriteCompletion(choices.response)(completion), 'latin1').toString(),
  );
});

test('names events, ends lines with CRLF, comments, and goes without a terminator where the world says so', () => {
  const written = write({ eventName: 'chunk', newline: 'crlf', comment: 'hello', terminator: null });
  expect(written.startsWith(': hello\r\n\r\nevent: chunk\r\ndata: {')).toBe(true);
  expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(new Set(events(written).map(({ event }) => event))).toEqual(new Set(['chunk']));
  expect(written).not.toContain('[DONE]');
});

test('cuts a text into pieces that make it up, none empty, no character split', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (whole) => {
      const pieces = cutIntoPieces(toUtf8(whole)).map((piece) => Buffer.from(piece, 'latin1').toString());
      expect(pieces.join('')).toBe(whole);
      expect(pieces).not.toContain('');
    }),
  );
});
