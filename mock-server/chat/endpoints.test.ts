import { expect, test } from 'vitest';
import { ServiceError } from '../protocol/service-error.ts';
import { callerNamed } from '../test-support/open-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { createCallers } from '../world/caller.ts';
import { authenticate, listModels, route, visionCapabilities } from './endpoints.ts';

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

const [primary, second] = [callerNamed('primary'), callerNamed('second')];

const record = {
  id: 'compact-1',
  object: 'model',
  created: 1_735_689_600,
  owned_by: 'mock',
  context_length: 1024,
  pricing: { input: 1, output: 2 },
};
const withIds = (...ids: readonly string[]): readonly object[] =>
  ids.map((id) => expect.objectContaining({ id }));

test('lists the available models of the key, in the shape and with the ID that the world chooses', () => {
  const ofFirst = listModels(primary, { shape: 'data', idField: 'id' });
  expect(ofFirst).toEqual({
    object: 'list',
    data: withIds('compact-1', 'standard-1', 'vista-1', 'steady-1'),
  });
  expect(ofFirst).toMatchObject({ data: expect.arrayContaining([record]) });
  expect(listModels(second, { shape: 'models', idField: 'id' })).toEqual({
    models: withIds('compact-1', 'reserve-1'),
  });
  const named = [{ name: 'compact-1' }, { name: 'reserve-1' }];
  expect(listModels(second, { shape: 'list', idField: 'name' })).toMatchObject(named);
});

test('says whether each available model has vision, in the shape that the world chooses', () => {
  const ids = ['compact-1', 'standard-1', 'vista-1', 'steady-1'];
  expect(visionCapabilities(primary, { shape: 'list' })).toEqual({
    object: 'list',
    data: ids.map((id) => ({ id, vision: id === 'vista-1' })),
  });
  const models = { 'compact-1': false, 'reserve-1': false };
  expect(visionCapabilities(second, { shape: 'map' })).toEqual({ models });
  expect(visionCapabilities(primary, { shape: 'flag' })).toEqual({ vision: true });
  expect(visionCapabilities(second, { shape: 'flag' })).toEqual({ vision: false });
});
