import { expect, test } from 'vitest';
import { timeline } from '../../suites/caller/test-support/timeline.ts';
import { endProblem } from './caller-summary.ts';

test.each([
  [0, '', []],
  [1, 'failed', []],
  [255, 'failed', []],
  [1, 'Error: oh\n\nNode.js v24.0.0\n', ['it crashed with code 1: Error: oh']],
  [127, 'sh: x: not found', [expect.stringMatching(/code 127, as a shell .*: sh: x: not found/)]],
  [139, '', [expect.stringContaining('that a signal ended')]],
])('reports exit code %i, after "%s": %j', (code, output, problems) => {
  expect(endProblem(timeline([], { end: { kind: 'exited', code, output } }))).toEqual(problems);
});
