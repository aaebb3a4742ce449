import { expect, test } from 'vitest';
import { violated } from '../model/ruling.ts';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { symptomsOf } from './symptoms.ts';

type Ruling = ReturnType<typeof violated>;

/** A check that failed on one refusable body, given a target with this model and this answer. */
function failedOn(
  model: string,
  body: (model: string) => string,
  answer: AnswerForTest,
  ruling: Ruling,
  contextTokens = 1000,
) {
  if (ruling.kind !== 'violated') throw new Error('a violation is expected');
  const { finding } = ruling;
  const counterpart = answered({}, { model, messages: [] });
  const exchange = answered(answer, body(model));
  const trial = { exchanges: [exchange, exchange, exchange], counterpart };
  const judged = {
    id: 'some-check',
    isInvariant: false,
    failures: [{ finding, trial }],
    heldIn: [],
    held: 0,
  };
  const info = infoForTest({ models: [{ id: model, vision: false, contextTokens }] });
  return symptomsOf([judged], [exchange], info).map(({ input, failed }) => ({
    input,
    kind: failed?.kind,
    answer: failed?.answer,
  }));
}

const ONE = { body: { choices: [{ message: { content: 'Hi.' } }], usage: { completion_tokens: 3 } } };
const OTHER = { body: { id: 4, cost: 1, choices: [{ message: { content: 'Yes?' }, stop: 'end' }] } };

test('says the same of two targets that have other models, names and texts', () => {
  const cut = (model: string) => `{"model":"${model}","max_tokens":`;
  const one = violated('accepted', 'an error', '200 with a completion', '/usage/completion_tokens');
  const other = violated('accepted', 'an error', '201 with an event stream', '/meta/tokens/out');
  const [symptom] = failedOn('small', cut, ONE, one);
  expect(failedOn('org/larger-4', cut, OTHER, other)).toEqual([symptom]);
  expect(symptom).toMatchObject({ kind: 'accepted 0', answer: '2xx completion' });
  expect(symptom?.input).toContain('MODEL');
});

test.each([
  ['200 with a list of models', 'other 0'],
  ['200 with the vision capabilities', 'other 0'],
  ['an error object without a code, nor a request ID', 'other an error object without a code'],
  [
    'a body without one (status 200), since it is not JSON: 3 bytes, which end in "x\\":"',
    'other a body without one (status 0)',
  ],
])('leaves out of a finding what only this answer shows: %s', (actual, kind) => {
  expect(failedOn('small', () => '{}', ONE, violated('other', 'an error', actual))[0]?.kind).toBe(kind);
});

test('keeps apart findings in different exchanges, and at different places that the specification names', () => {
  const kindOf = (path: string, exchange?: number) => {
    const ruling = violated('no-text', 'a text', `null, as in "x"`, path);
    if (ruling.kind !== 'violated') throw new Error('a violation is expected');
    const finding = { ...ruling.finding, ...(exchange !== undefined && { exchange }) };
    return failedOn('small', () => '{}', ONE, { ...ruling, finding })[0]?.kind;
  };
  expect(kindOf('/choices/0/message/content')).toBe('no-text /choices/0/message/content null');
  expect(kindOf('/error/id', 2)).toBe('no-text null in exchange 2');
});

test.each([
  [{ status: 503, body: '<html>' }, '5xx page'],
  [{ status: 429, body: 'Slow down.' }, '4xx text'],
  [{ status: 401 }, '4xx empty'],
  [{ status: 400, body: { fault: { code: 'x' } } }, '4xx error'],
  [{ body: { data: [] } }, '2xx object'],
  [{ body: '[1]' }, '2xx list'],
  [{ body: 'data: {}\n\n' }, '2xx stream'],
  [{ headers: { 'content-type': 'text/event-stream' }, body: '' }, '2xx stream'],
])('says what the answer was given %j', (answer, expected) => {
  const ruling = violated('other', 'an error', 'none');
  expect(failedOn('small', () => '{}', answer, ruling)[0]?.answer).toBe(expected);
});

const inputFor = (model: string, body: (model: string) => string): string | undefined =>
  failedOn(model, body, ONE, violated('accepted', 'an error', '200'))[0]?.input;

test.each<[string, (id: string) => string]>([
  ['/model MODEL in upper case', (id) => id.toUpperCase()],
  ['/model MODEL without its end', (id) => id.slice(0, -1)],
  ['/model MODEL without its beginning', (id) => id.slice(1)],
  ['/model "MODEL-latest"', (id) => `${id}-latest`],
  ['/model "gpt-5"', () => 'gpt-5'],
])('names a model that is not listed by the listed one: %s', (words, respell) => {
  const body = (model: string) => JSON.stringify({ model: respell(model), messages: [] });
  expect([inputFor('small', body), inputFor('org/larger-4', body)]).toEqual([words, words]);
});

test('tells bodies apart that are no objects', () => {
  expect(['null', '[1]', '"Hi."'].map((body) => inputFor('small', () => body))).toEqual([
    'the whole body null',
    'the whole body [1]',
    'the whole body "Hi."',
  ]);
});

test.each([
  ['/max_tokens most of CONTEXT', 969, 8137],
  ['/max_tokens CONTEXT', 1000, 8192],
  ['/max_tokens 16', 16, 16],
])('names an amount by the size of the context: %s', (words, ofOne, ofOther) => {
  const input = (tokens: number, context: number) => {
    const body = (model: string) => JSON.stringify({ model, messages: [], max_tokens: tokens });
    return failedOn('small', body, ONE, violated('accepted', 'an error', '200'), context)[0]?.input;
  };
  expect([input(ofOne, 1000), input(ofOther, 8192)]).toEqual([words, words]);
});
