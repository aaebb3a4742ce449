import { expect, test } from 'vitest';
import { ServiceError } from '../protocol/service-error.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { createCallers } from '../world/caller.ts';
import { authenticate, route } from './endpoints.ts';

/** What was returned; or the kind of the error, with its headers. */
function outcome(step: () => string): string {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.kind, ...(error.particulars.headers ?? [])].join(' ');
  }
}

const NOWHERE = ['/', '', '*', '/v1', '/models', '/v1/models/', '/v1//models', '/V1/models', '/v1/mod%65ls'];

test.each<readonly [method: string, url: string, expected: string]>([
  ['GET', '/v1/models', 'models'],
  ['GET', '/v1/models?limit=2', 'models'],
  ['POST', '/v1/chat/completions', 'chat'],
  ['GET', '/v1/vision-capabilities', 'vision'],
  ...NOWHERE.map((url) => ['GET', url, 'not_found'] as const),
  ['GET', '/v1/responses', 'not_found'],
  ['POST', '/v1/models', 'method_not_allowed allow GET'],
  ['HEAD', '/v1/models', 'method_not_allowed allow GET'],
  ['OPTIONS', '/v1/chat/completions', 'method_not_allowed allow POST'],
  ['GET', '/v1/chat/completions?x', 'method_not_allowed allow POST'],
  ['DELETE', '/v1/vision-capabilities', 'method_not_allowed allow GET'],
])('%s %j leads to %s', (method, url, expected) => {
  expect(outcome(() => route(method, url))).toBe(expected);
});

test('says of a path of the control API how it is served', () => {
  const detail = expect.stringContaining('--control');
  expect(() => route('GET', '/control/faults')).toThrow(expect.objectContaining({ particulars: { detail } }));
});

const callers = createCallers(builtInWorld);
const keyOf = (name: string): string => builtInWorld.keys.find((key) => key.name === name)?.key ?? '';
const KEY = keyOf('primary');
const CHALLENGE = 'www-authenticate Bearer';

test.each([
  ...['Bearer', 'bearer', 'BEARER', 'Bearer  '].map((scheme) => [`${scheme} ${keyOf('second')}`, 'second']),
  ...[undefined, '', 'Bearer', 'Bearer ', KEY, `Basic ${KEY}`, 'Bearer two words'].map((header) => [
    header,
    `missing_key ${CHALLENGE}`,
  ]),
  ...[KEY.slice(0, -1), `${KEY}x`, KEY.toUpperCase(), 'x'.repeat(256), 'x'.repeat(5000)].map((key) => [
    `Bearer ${key}`,
    `invalid_key ${CHALLENGE} error="invalid_token"`,
  ]),
  [`Bearer ${keyOf('unscoped')}`, `missing_scope ${CHALLENGE} error="insufficient_scope", scope="inference"`],
])('takes the header %j for that of %s', (header, expected) => {
  expect(outcome(() => authenticate(callers, header).name)).toBe(expected);
});
