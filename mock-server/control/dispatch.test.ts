import { expect, test } from 'vitest';
import { findOperation, OPERATIONS } from './dispatch.ts';

const find = (method: string, path: string): unknown[] => {
  const { operation, sandbox, named } = findOperation(OPERATIONS, method, path);
  return [operation.name, sandbox, named];
};

test.each([
  ['GET', '/', 'not_found'],
  ['GET', '/fault', 'not_found'],
  ['GET', '/faults/', 'not_found'],
  ['GET', '/sandboxes/s1/openapi.json', 'not_found'],
  ['GET', '/sandboxes/s1/sandboxes', 'not_found'],
  ['PATCH', '/faults', 'method_not_allowed'],
  ['GET', '/journal/%ff', 'invalid_path'],
])('refuses %s "%s" with %s', (method, path, code) => {
  expect(() => find(method, path)).toThrow(expect.objectContaining({ code }));
});

test('gives every operation a unique name, and a unique method and path', () => {
  expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
  const places = OPERATIONS.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  expect(new Set(places).size).toBe(OPERATIONS.length);
});
