import { expect, onTestFinished, test } from 'vitest';
import { PRIMARY } from '../model/exchange.ts';
import { serve } from '../test-support/service.ts';
import { redactorOf } from '../text/redact.ts';
import { connectTo, wireRequest } from './target-connection.ts';

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

const UNTOLD = {
  kind: 'uncertain',
  reason: expect.stringMatching(
    /^gateway error: the proxy 127\.0\.0\.1:\d+ may have answered with status 500 instead/,
  ),
};
const TOLD = { kind: 'answered' };

/** The headers of a failure, those of the list of models before it, and what becomes of the failure. */
const FAILURES = [
  [{ server: 'tinyproxy/1.11.1' }, {}, UNTOLD],
  [{ server: 'squid', 'x-cache': 'MISS' }, { 'x-request-id': '1', 'x-cache': 'MISS' }, UNTOLD],
  [{}, {}, TOLD],
  [{ server: 'uvicorn' }, { server: 'uvicorn' }, TOLD],
  [{ server: 'node-2', 'x-request-id': '2' }, { server: 'node-1', 'x-request-id': '1' }, TOLD],
] as const;

test.each(FAILURES)(
  'says whose failure it is behind a proxy, given %j and a list of models with %j',
  async (failure, list, as) => {
    const proxy = await serve(({ request }, response) => {
      const isList = request.url?.endsWith('/models') === true;
      response.writeHead(isList ? 200 : 500, isList ? list : failure).end('{}');
    });
    const proxies = { http: proxy.origin, except: '', forLoopback: true };
    const keys = { primary: 'key' };
    const target = {
      baseUrl: 'http://host.example/v1',
      kind: 'live',
      keys,
      profile: {},
      headers: {},
    } as const;
    const connection = connectTo({ ...target, network: { proxies } }, 5000, redactorOf(target));
    onTestFinished(() => connection.close());
    const request = { method: 'GET', headers: {}, credential: PRIMARY, body: undefined };
    const send = (path: string, options = {}) => connection.exchange({ ...request, path }, options);
    expect(await send('/vision-capabilities')).toMatchObject(TOLD);
    await send('/models');
    expect(await send('/vision-capabilities')).toMatchObject(as);
    expect(await send('/vision-capabilities', { armed: 'refusal' })).toMatchObject(TOLD);
  },
);
