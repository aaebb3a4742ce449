import { expect, test } from 'vitest';
import { endProblem } from './end-problem.ts';

test.each([
  [0, '', []],
  [1, 'failed', []],
  [255, 'failed', []],
  [1, 'Error: oh\n\nNode.js v24.0.0\n', ['it crashed, with code 1: Error: oh']],
  [126, '', ['it ended with code 126, which is what a shell says of a program that cannot be run']],
  [127, 'sh: x: not found', [expect.stringContaining('a program that is not there: sh: x: not found')]],
  [139, '', ['it ended with code 139, which is what a shell says of signal 11']],
])('tells of an end with %i, after "%s": %j', (code, output, problems) => {
  expect(endProblem({ kind: 'exited', code, output })).toEqual(problems);
});
