import { expect, test } from 'vitest';
import { PRIMARY } from '../model/exchange.ts';
import { wireRequest } from './target-connection.ts';

test('asks for bytes without a content coding', () => {
  const request = { method: 'GET', path: '/models', headers: {}, credential: PRIMARY, body: undefined };
  const { headers } = wireRequest(request, { headers: {}, keys: { primary: 'key' } }, '/v1');
  expect(headers).toEqual({ 'accept-encoding': 'identity', authorization: 'Bearer key' });
});

test.each([
  [undefined, '/v1/models', { authorization: 'a key&' }],
  [{ header: 'x-api-key' }, '/v1/models', { 'x-api-key': 'a key&' }],
  [{ query: 'api_key' }, '/v1/models?api_key=a+key%26', {}],
])('puts a key into its place, and nothing into Authorization, given %j', (elsewhere, path, bearing) => {
  const forged = { kind: 'forged', label: 'x', header: (key: string) => `a ${key}` } as const;
  const credential = elsewhere === undefined ? forged : { ...forged, elsewhere };
  const request = { method: 'GET', path: '/models', headers: {}, credential, body: undefined };
  const sent = wireRequest(request, { headers: {}, keys: { primary: 'key&' } }, '/v1');
  expect([sent.path, sent.headers]).toEqual([path, { 'accept-encoding': 'identity', ...bearing }]);
});
