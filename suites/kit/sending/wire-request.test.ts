import { expect, test } from 'vitest';
import { PRIMARY } from '../exchange.ts';
import { wireRequest } from './wire-request.ts';

test('asks for the bytes as the service wrote them, since whoever says nothing accepts any coding', () => {
  const request = { method: 'GET', path: '/models', headers: {}, credential: PRIMARY, body: undefined };
  const { headers } = wireRequest(request, { headers: {}, keys: { primary: 'key' } }, '/v1');
  expect(headers).toEqual({ 'accept-encoding': 'identity', authorization: 'Bearer key' });
});
