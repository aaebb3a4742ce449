import { expect, test } from 'vitest';
import { ServiceError } from '../protocol/service-error.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { createCallers } from '../world/caller.ts';
import { authenticate } from './answer-request.ts';

const callers = createCallers(builtInWorld);
const keyOf = (name: string): string => builtInWorld.keys.find((key) => key.name === name)?.key ?? '';

function refusal(authorization: string | undefined): ServiceError | string {
  try {
    return authenticate(callers, authorization).name;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

test.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])(
  'returns the caller given its key after %j',
  (scheme) => {
    expect(authenticate(callers, `${scheme} ${keyOf('second')}`).name).toBe('second');
  },
);

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  keyOf('primary'),
  `Basic ${keyOf('primary')}`,
  'Bearer two words',
])('asks for a bearer key given %j', (authorization) => {
  expect(refusal(authorization)).toMatchObject({
    kind: 'missing_key',
    particulars: { headers: ['www-authenticate', 'Bearer'] },
  });
});

test.each([
  keyOf('primary').slice(0, -1),
  `${keyOf('primary')}x`,
  keyOf('primary').toUpperCase(),
  'x'.repeat(256),
  'x'.repeat(5000),
])('refuses a key that is not known', (key) => {
  expect(refusal(`Bearer ${key}`)).toMatchObject({ kind: 'invalid_key' });
});

test('refuses a key without the inference scope, and names the scope', () => {
  const error = refusal(`Bearer ${keyOf('unscoped')}`);
  expect(error).toMatchObject({
    kind: 'missing_scope',
    particulars: { headers: ['www-authenticate', 'Bearer error="insufficient_scope", scope="inference"'] },
  });
});
