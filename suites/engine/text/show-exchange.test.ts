import { expect, test } from 'vitest';
import { type Credential, type Exchange, PRIMARY } from '../model/exchange.ts';
import { difference } from './show-exchange.ts';

function sent(body: unknown, credential: Credential = PRIMARY, path = '/chat/completions'): Exchange {
  const request = { method: 'POST', path, headers: {}, credential, body: Buffer.from(JSON.stringify(body)) };
  return { id: 'x', request, outcome: { kind: 'not-sent', reason: 'a test' } };
}

test('names the one place in which two bodies differ', () => {
  const counterpart = sent({ model: 'm', messages: [{ role: 'user' }, { role: 'user' }] });
  expect(difference(sent({ model: 'm', messages: [{ role: 'user' }, { role: 'bot' }] }), counterpart)).toBe(
    '/messages/1/role',
  );
  expect(
    difference(sent({ model: 'm', messages: [{ role: 'user' }, { role: 'user' }], 'a/b': 1 }), counterpart),
  ).toBe('/a~1b');
  expect(difference(sent({ messages: [{ role: 'user' }, { role: 'user' }] }), counterpart)).toBe('/model');
});

test('names the place that holds all differences when there are several', () => {
  expect(difference(sent({ a: { b: 1, c: 2 } }), sent({ a: { b: 2, c: 3 } }))).toBe('/a');
});

test('names the credential or the path when that is what differs', () => {
  expect(difference(sent({}, { kind: 'none' }), sent({}))).toBe(
    'the credential: no Authorization header instead of the primary key',
  );
  expect(difference(sent({}, PRIMARY, '/responses'), sent({}))).toBe(
    'the path: /responses instead of /chat/completions',
  );
});
