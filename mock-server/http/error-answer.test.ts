import { expect, test } from 'vitest';
import { ServiceError, type Step, ERROR_TABLE } from '../protocol/service-error.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { Choices, World } from '../world/world-schema.ts';
import { errorAnswer } from './handle-request.ts';

const world = (errors: Partial<Choices['errors']> = {}): World => ({
  ...builtInWorld,
  choices: { ...builtInWorld.choices, errors: { ...builtInWorld.choices.errors, ...errors } },
});

const read = (body: string): unknown => JSON.parse(Buffer.from(body, 'latin1').toString());
const text = (path: readonly Step[]): string => {
  const { body } = errorAnswer(world(), 'req_1', new ServiceError('unknown_field', { path }));
  return Buffer.from(body, 'latin1').toString();
};

test('is code, message and request ID, with the status and headers of the error', () => {
  const error = new ServiceError('method_not_allowed', { headers: ['allow', 'GET'] });
  const answer = errorAnswer(world(), 'req_1', error);
  expect(answer).toMatchObject({ status: 405, requestId: 'req_1', headers: ['allow', 'GET'] });
  const message = ERROR_TABLE.method_not_allowed[1];
  expect(read(answer.body)).toEqual({ error: { code: 'method_not_allowed', message, request_id: 'req_1' } });
});

test('takes the shape, the names, the codes and the statuses that the world has chosen', () => {
  const overrides = { rate_limit: { code: 'slow_down', status: 503 } };
  const chosen = world({ shape: 'root', requestIdField: 'trace', overrides });
  const answer = errorAnswer(chosen, 'req_1', new ServiceError('rate_limit'));
  expect(answer.status).toBe(503);
  const message = ERROR_TABLE.rate_limit[1];
  expect(read(answer.body)).toEqual({ code: 'slow_down', message, trace: 'req_1' });
});

test('names the place as a JSON pointer, escaped', () => {
  expect(text(['messages', 1, 'a/b~c'])).toContain('/messages/1/a~1b~0c');
});

test('shows no key of the world, even one that is a part of a name', () => {
  for (const { key } of builtInWorld.keys) {
    for (const name of [key, `x${key}y`, `${'z'.repeat(40)}${key}`, key + key]) {
      expect(text([name])).not.toContain(key.slice(0, 12));
    }
  }
});

test('cuts long names, and is well-formed Unicode whatever they hold', () => {
  const long = text(['🌿'.repeat(10_000)]);
  expect(long.length).toBeLessThan(400);
  expect(text(['\ud800', '\udfff', `${'x'.repeat(47)}🌿`])).not.toMatch(/\\ud[89a-f]/i);
});
