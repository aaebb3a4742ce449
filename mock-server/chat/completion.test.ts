import { createParser, type EventSourceMessage } from 'eventsource-parser';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMPLETION as completion } from '../test-support/chat.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { Choices } from '../world/world-schema.ts';
import { costOf, cutIntoPieces, modelMs, writeCompletion, writeEventStream } from './completion.ts';
import type { Generation } from './generate.ts';

const text = '“Ja”\n\u0000\\ ein „kurzer“ Text,\n\r\n der 🌿 über mehrere Stücke geht. 今日は風が強い。';
const generation: Generation = { text, tokens: 20, finishReason: 'length' };
const { choices } = builtInWorld;
const usage = { prompt_tokens: 3, completion_tokens: 20, total_tokens: 23 };
const id = `chatcmpl-${'a'.repeat(24)}`;

const model = { id: 'm', contextTokens: 100, price: { input: 3, output: 5 } };

test('costs the input and the output at their prices', () => {
  const priced = { ...completion, model, inputTokens: 7 };
  expect([costOf(priced, 0), costOf(priced, 9)]).toEqual([21, 66]);
});

test('takes as long as the model does, and no time for one that takes none', () => {
  expect(modelMs({ ...completion, model }, 9)).toBe(0);
  expect(modelMs({ ...completion, model: { ...model, latencyMs: 10, latencyPerTokenMs: 2 } }, 9)).toBe(28);
});

test('spells a completion as the common convention has it', () => {
  expect(writeCompletion(choices.response, completion, generation)).toEqual({
    id,
    object: 'chat.completion',
    created: 17,
    model: 'modèle "1"',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'length' }],
    usage,
  });
});

test('uses the names, the place and the further fields that the world has chosen', () => {
  const chosen: Choices['response'] = {
    finishReasonField: 'raison "d’arrêt"',
    finishReasonPlace: 'root',
    usageField: 'tokens',
    inputTokensField: 'in',
    outputTokensField: 'out',
    totalTokensField: 'sum',
    extraFields: { système: 'é', nothing: null },
  };
  expect(writeCompletion(chosen, completion, generation)).toMatchObject({
    'raison "d’arrêt"': 'length',
    choices: [{ index: 0, message: { role: 'assistant' } }],
    tokens: { in: 3, out: 20, sum: 23 },
    système: 'é',
    nothing: null,
  });
});

function write(stream: Partial<Choices['stream']> = {}, response: Partial<Choices['response']> = {}): string {
  const own = { stream: { ...choices.stream, ...stream }, response: { ...choices.response, ...response } };
  return writeEventStream({ ...choices, ...own }, completion, generation);
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

const common = { id, object: 'chat.completion.chunk', created: 17, model: 'modèle "1"' };

test('spells the role, the text in pieces, the finish reason, the usage and the terminator', () => {
  const written = write();
  const read = chunks(written);
  expect(events(written).at(-1)?.data).toBe('[DONE]');
  expect(written.endsWith('\n\n')).toBe(true);
  expect(read.flatMap((chunk) => chunk.choices.map(({ delta }) => delta.content ?? '')).join('')).toBe(text);
  expect(read[0]).toEqual({
    ...common,
    choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
  });
  expect(read.at(-2)).toEqual({ ...common, choices: [{ index: 0, delta: {}, finish_reason: 'length' }] });
  expect(read.at(-1)).toEqual({ ...common, choices: [], usage });
});

test('puts the finish reason at the root where the world says so', () => {
  expect(chunks(write({}, { finishReasonPlace: 'root', finishReasonField: 'why' })).at(-2)).toEqual({
    ...common,
    choices: [{ index: 0, delta: {} }],
    why: 'length',
  });
});

test('spells the whole completion as one event where the world says so', () => {
  const read = events(write({ framing: 'one-event', terminator: null }));
  const whole = JSON.stringify(writeCompletion(choices.response, completion, generation));
  expect(read.map(({ data }) => data)).toEqual([whole]);
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
      const pieces = cutIntoPieces(whole);
      expect(pieces.join('')).toBe(whole);
      expect(pieces.every((piece) => piece !== '' && piece.isWellFormed())).toBe(true);
    }),
  );
});
