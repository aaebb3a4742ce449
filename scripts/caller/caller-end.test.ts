import { expect, test } from 'vitest';
import { chat, timeline } from '../../suites/caller/test-support/timeline.ts';
import { endProblem } from './caller-end.ts';

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

test.each([
  ['nothing', [], 'it sent nothing for more than half of that'],
  ['what was answered early', [chat(1000)], 'it sent nothing for more than half of that'],
  [
    'requests between pauses',
    [chat(1000, { knownAt: 2000 }), chat(1500, { knownAt: 4000 }), chat(13_000, { knownAt: 20_000 })],
    'answers took 10 s of that, its own work and pauses 20 s (the longest 10 s)',
  ],
  [
    'a request that is held',
    [chat(1000, { outcome: 'running' })],
    'answers took 29 s of that, its own work and pauses 1 s',
  ],
])('says of a caller that was stopped what took the time: %s', (_what, requests, text) => {
  const stopped = timeline(requests, { end: { kind: 'stopped', afterMs: 30_000, output: '' } });
  expect(endProblem(stopped)[0]).toContain(`not ended after 30 s, and was stopped: ${text}`);
  expect(endProblem(stopped)[0]).toContain('--deadline');
});
