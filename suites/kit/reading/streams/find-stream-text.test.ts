import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { findStreamText } from './find-stream-text.ts';

const event = (json: JsonValue) => ({ name: undefined, data: JSON.stringify(json), json, at: 0 });
const find = (events: readonly JsonValue[], pin?: string) =>
  findStreamText(events.map(event), pin === undefined ? {} : { pins: { 'stream.text': pin } });
const delta = (content: JsonValue, more: object = {}) => ({ choices: [{ delta: { content } }], ...more });

test('names the events that bore the text', () => {
  const events = [delta(''), delta('Hel'), {}, delta('lo.')].map(event);
  expect(findStreamText(events, {})).toEqual({
    pointer: '/choices/0/delta/content',
    text: 'Hello.',
    textEvents: [events[1], events[3]],
  });
});

test('prefers a pinned place to a usual one, unless it holds no text', () => {
  expect(find([delta('Hi.', { q: 'Hello.' })], '/q')?.pointer).toBe('/q');
  expect(find([delta('Hi.', { q: '' })], '/q')?.pointer).toBe('/choices/0/delta/content');
  expect(find([{ q: '', token: 'Hi.' }], '/q')).toEqual({ pointer: '/q', text: '', textEvents: [] });
});

test('prefers a usual place to a longer text elsewhere, and one with a text to one without', () => {
  expect(find([delta('Hi.', { answer: 'Something longer.' })])?.pointer).toBe('/choices/0/delta/content');
  expect(find([{ choices: [{ delta: { content: '' }, text: 'Hi.' }] }])?.pointer).toBe('/choices/0/text');
});

test('finds the longest text among places with a telling name', () => {
  const events = [{ a: { token: 'x' }, b: { token: 'longer' }, c: { text: 'y' } }, { a: { token: 'z' } }];
  expect(find(events)).toMatchObject({ pointer: '/b/token', text: 'longer' });
});

test('knows the elements of a list by its name, six levels deep', () => {
  expect(find([{ output: [['Hi.']] }])?.pointer).toBe('/output/0/0');
  expect(find([{ output: [...Array(10).fill(''), 'Hi.'] }])?.pointer).toBe('/output/10');
  expect(find([{ a: { b: { c: { d: { e: { text: 'Hi.' } } } } } }])?.pointer).toBe('/a/b/c/d/e/text');
  expect(find([{ a: { b: { c: { d: { e: { f: { text: 'Hi.' } } } } } } }])).toBeUndefined();
});

test('takes no text for one of a name that is not telling', () => {
  expect(find([{ a: 'Hi.' }, { text: '' }])).toBeUndefined();
});

test('takes no number for text, and nothing in events that are no objects', () => {
  expect(find([delta(7)])).toBeUndefined();
  expect(find([7, null, 'Hi.'])).toBeUndefined();
});

test('reads whole data where the profile pins it: JSON texts, and what is nothing structured', () => {
  expect(find(['Hi ', 7, null, { usage: 1 }, [1]], '')?.text).toBe('Hi 7null');
});

test('looks at a bounded number of places, however many a stream has', () => {
  let reads = 0;
  const events = Array.from({ length: 400 }, (_, i) => {
    const json = { [`place${i}`]: { token: 'text' } };
    const counted = new Proxy(json, {
      get: (target, name) => {
        reads += 1;
        return Reflect.get(target, name) as JsonValue;
      },
      getOwnPropertyDescriptor: (target, name) => {
        reads += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    return { ...event(json), json: counted };
  });
  expect(findStreamText(events, {})?.text).toBe('text');
  expect(reads).toBeLessThan(100 * events.length);
});

test.each<[string, readonly JsonValue[]]>([
  [
    'an empty delta',
    [{ choices: [{ index: 0, delta: {}, finish_reason: 'length' }], usage: { output: 16 } }],
  ],
  ['nulls', [{ choices: [{ delta: { role: 'assistant', content: null }, logprobs: null }] }]],
  ['a last chunk without choices', [{ choices: [{ delta: {} }] }, { choices: [], usage: {} }]],
])('finds an empty text in chunks that say nothing: %s', (_, events) => {
  expect(find(events)).toEqual({ pointer: '/choices/0/delta/content', text: '', textEvents: [] });
});

test.each<[string, readonly JsonValue[]]>([
  ['no choice', [{ choices: [] }]],
  ['no delta', [{ choices: [{ index: 0 }] }]],
  ['a member of a choice that may be the text', [{ choices: [{ delta: {}, words: 'Hi.' }] }]],
  ['a member of a delta that may be the text', [{ choices: [{ delta: { words: 'Hi.' } }] }]],
  ['choices that are no objects', [{ choices: ['Hi.'] }]],
])('recognises no text given %s', (_, events) => {
  expect(find(events)).toBeUndefined();
});
