import { expect, test } from 'vitest';
import { callerNamed } from '../test-support/open-mock.ts';
import { route, listModels, visionCapabilities } from './answer-request.ts';

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

const [primary, second] = [callerNamed('primary'), callerNamed('second')];

const record = {
  id: 'compact-1',
  object: 'model',
  created: 1_735_689_600,
  owned_by: 'mock',
  context_length: 1024,
  pricing: { input: 1, output: 2 },
};

test('lists the available models of the key, each with what is needed to choose', () => {
  const listed = (...ids: readonly string[]): object => ({
    object: 'list',
    data: ids.map((id) => expect.objectContaining({ id })),
  });
  const ofFirst = listModels(primary, { shape: 'data', idField: 'id' });
  expect(ofFirst).toEqual(listed('compact-1', 'standard-1', 'vista-1', 'steady-1'));
  expect(ofFirst).toMatchObject({ data: expect.arrayContaining([record]) });
  expect(listModels(second, { shape: 'data', idField: 'id' })).toEqual(listed('compact-1', 'reserve-1'));
});

test('takes the shape and the name of the ID that the world has chosen', () => {
  expect(listModels(second, { shape: 'list', idField: 'name' })).toMatchObject([
    { name: 'compact-1' },
    { name: 'reserve-1' },
  ]);
  expect(listModels(second, { shape: 'models', idField: 'id' })).toMatchObject({
    models: expect.arrayContaining([record]),
  });
});

test('says whether each available model has vision, in the shape that the world chooses', () => {
  expect(visionCapabilities(primary, { shape: 'list' })).toEqual({
    object: 'list',
    data: [
      { id: 'compact-1', vision: false },
      { id: 'standard-1', vision: false },
      { id: 'vista-1', vision: true },
      { id: 'steady-1', vision: false },
    ],
  });
  expect(visionCapabilities(second, { shape: 'map' })).toEqual({
    models: { 'compact-1': false, 'reserve-1': false },
  });
  expect(visionCapabilities(primary, { shape: 'flag' })).toEqual({ vision: true });
  expect(visionCapabilities(second, { shape: 'flag' })).toEqual({ vision: false });
});
