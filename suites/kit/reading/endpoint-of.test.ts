import { expect, test } from 'vitest';
import { answered, answeredGet } from '../test-support/exchange.ts';
import { endpointOf } from './endpoint-of.ts';

test('returns the endpoint given its own path and method', () => {
  const requests = [answered(), answeredGet('/models'), answeredGet('/vision-capabilities')];
  expect(requests.map(({ request }) => endpointOf(request))).toEqual(['chat', 'models', 'vision']);
});

test('returns undefined given another method or another path', () => {
  const requests = [
    answeredGet('/chat/completions'),
    answered({}, {}, { path: '/models' }),
    answeredGet('/models', {}, { method: 'DELETE' }),
    answeredGet('/models/'),
  ];
  expect(requests.map(({ request }) => endpointOf(request))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
