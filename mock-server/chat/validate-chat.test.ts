import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../protocol/service-error.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { validateChat } from './validate-chat.ts';

const { choices } = builtInWorld;
const messages = [{ role: 'user', content: 'Hello' }];
const chat = { model: 'compact-1', messages };

function refusal(body: unknown): object | undefined {
  try {
    validateChat(body, choices);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: error.kind, path: error.particulars.path };
  }
}

test.each([
  {},
  { stream: true },
  { stream: false, max_tokens: 1, temperature: 0 },
  { max_tokens: 1e21, temperature: 2 },
  { temperature: 0.5 },
])('accepts the two required fields with %j', (options) => {
  expect(validateChat({ ...chat, ...options }, choices)).toEqual({ ...chat, ...options });
});

test.each([null, [], 'text', 1, true, [chat]])('refuses a body that is no object: %j', (body) => {
  expect(refusal(body)).toEqual({ kind: 'invalid_value', path: [] });
});

test.each([
  ['model', { messages }],
  ['messages', { model: 'compact-1' }],
  ['model', Object.create(chat)],
])('refuses a request without its own %s', (field, body) => {
  expect(refusal(body)).toEqual({ kind: 'missing_field', path: [field] });
});

const INFINITE = Number.POSITIVE_INFINITY;

test.each([
  ['model', [null, 7, ['compact-1']]],
  ['messages', [null, 'Hello', { 0: messages[0], length: 1 }, []]],
  ['temperature', [null, '1', true, -0.1, 2.1, INFINITE]],
  ['max_tokens', [null, '5', 1.5, 0, -1, INFINITE, false]],
  ['stream', [null, 'true', 0]],
])('refuses %s given as any of %j', (field, values) => {
  for (const value of values)
    expect(refusal({ ...chat, [field]: value })).toEqual({ kind: 'invalid_value', path: [field] });
});

test.each(['top_p', 'Model', 'model ', '', 'toString', 'hasOwnProperty', 'constructor', 'max_Tokens'])(
  'refuses the unknown field %j whatever its value',
  (field) => {
    for (const value of [null, false, 0, '', undefined, {}]) {
      expect(refusal({ ...chat, [field]: value })).toEqual({ kind: 'unknown_field', path: [field] });
    }
  },
);

test('refuses __proto__ as an unknown field and pollutes nothing', () => {
  const body: unknown = JSON.parse('{"model":"m","messages":[],"__proto__":{"polluted":true}}');
  expect(refusal(body)).toEqual({ kind: 'unknown_field', path: ['__proto__'] });
  expect(refusal(JSON.parse('{"__proto__":{"model":"m","messages":[]}}'))).toEqual({
    kind: 'unknown_field',
    path: ['__proto__'],
  });
  expect({}).not.toHaveProperty('polluted');
});

test('accepts or refuses any JSON value, and never fails or pollutes', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const field = fc.constantFrom('model', 'messages', 'stream', 'role', 'content', '__proto__', 'constructor');
  const object = fc.dictionary(fc.oneof(field, fc.string()), fc.jsonValue());
  const nearMiss = fc.record({ model: fc.jsonValue(), messages: fc.array(fc.oneof(object, fc.jsonValue())) });
  fc.assert(
    fc.property(fc.oneof(nearMiss, object, fc.jsonValue()), (value) => {
      refusal(JSON.parse(JSON.stringify(value)));
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    }),
    { numRuns: 300 },
  );
});
