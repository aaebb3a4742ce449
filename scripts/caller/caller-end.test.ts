import { expect, test } from 'vitest';
import { endProblem } from './caller-end.ts';

test.each([
  [0, '', []],
  [1, 'failed', []],
  [255, 'failed', []],
  [1, 'Error: oh\n\nNode.js v24.0.0\n', ['it crashed with code 1: Error: oh']],
  [126, '', ['it exited with code 126, which a shell returns for a program that cannot be executed']],
  [127, 'sh: x: not found', [expect.stringContaining('a program that does not exist: sh: x: not found')]],
  [139, '', ['it exited with code 139, which a shell returns after signal 11']],
])('reports exit code %i, after "%s": %j', (code, output, problems) => {
  expect(endProblem({ kind: 'exited', code, output })).toEqual(problems);
});
