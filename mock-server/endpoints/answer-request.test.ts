import { expect, test } from 'vitest';
import { route } from './answer-request.ts';

test.each([
  ['GET', '/v1/models', 'models'],
  ['GET', '/v1/models?limit=2', 'models'],
  ['POST', '/v1/chat/completions', 'chat'],
  ['GET', '/v1/vision-capabilities', 'vision'],
])('finds the endpoint given %s %s', (method, url, endpoint) => {
  expect(route(method, url)).toBe(endpoint);
});

test.each([
  '/',
  '',
  '*',
  '/v1',
  '/models',
  '/v1/models/',
  '/v1//models',
  '/V1/models',
  '/v1/responses',
  '/v1/mod%65ls',
])('finds nothing at %j', (url) => {
  expect(() => route('GET', url)).toThrow(expect.objectContaining({ kind: 'not_found' }));
});

test.each([
  ['POST', '/v1/models', 'GET'],
  ['HEAD', '/v1/models', 'GET'],
  ['OPTIONS', '/v1/chat/completions', 'POST'],
  ['GET', '/v1/chat/completions?x', 'POST'],
  ['DELETE', '/v1/vision-capabilities', 'GET'],
])('refuses %s %s and allows %s', (method, url, allowed) => {
  expect(() => route(method, url)).toThrow(
    expect.objectContaining({ kind: 'method_not_allowed', particulars: { headers: ['allow', allowed] } }),
  );
});
