import { expect, test } from 'vitest';
import { body, chat, get, timeline } from '../../suites/caller/test-support/timeline.ts';
import { callerSummary, endProblem } from './caller-summary.ts';

test.each([
  [0, '', []],
  [1, 'failed', []],
  [255, 'failed', []],
  [1, 'Error: oh\n\nNode.js v24.0.0\n', ['it crashed with code 1: Error: oh']],
  [127, 'sh: x: not found', ['it crashed with code 127: sh: x: not found']],
  [139, '', ['it crashed with code 139']],
  [134, 'Got a SIGABRT\n=====\n', ['it crashed with code 134: Got a SIGABRT']],
])('reports exit code %i, after "%s": %j', (code, output, problems) => {
  expect(endProblem(timeline([], { end: { kind: 'exited', code, output } }))).toEqual(problems);
});

test('says how far a caller came that was stopped, and what took its time', () => {
  const requests = [
    chat(0, { knownAt: 4000 }),
    chat(2000, { knownAt: 5000 }),
    chat(9000, { knownAt: undefined }),
  ];
  const seen = timeline(requests, { end: { kind: 'stopped', afterMs: 10_000, output: '' } });
  const what = 'it sent 3 chats, waited for answers for 6 s, and took 4 s itself';
  expect(endProblem(seen).join()).toMatch(new RegExp(`after 10 s, and was stopped; ${what}: .*--deadline`));
  const items = ['Wish a:', 'Wish b:'].map((text) => ({ id: text, text }));
  const ofTask = timeline([chat(0, { body: body('Wish a:') })], { items, end: seen.end });
  expect(endProblem(ofTask).join()).toContain('of 2 items it began 1,');
});

test.each([
  ['only reads the models', get(0, '/v1/models', []), 'it sent no chat completion'],
  [
    'has nothing served',
    chat(0, { status: 400, outcome: 'other', answer: '{"error":{"code":"a","message":"b"}}' }),
    'no completion was served: 1 of 1 refused, as 400 a b',
  ],
  [
    'leaves before any answer',
    chat(0, { outcome: 'no-answer' }),
    'it closed the connection of 1 of 1 requests before an answer',
  ],
])('is incomplete given a caller that %s', (_what, request, problem) => {
  const run = { name: 'a', seed: 1, startedAt: new Date(), durationMs: 1 };
  const { outcome, cutShort } = callerSummary([timeline([request], { scenario: 'plain-use' })], run);
  expect(cutShort).toContainEqual(expect.stringContaining(problem));
  expect(outcome).not.toBe('conformant');
});

test('names the last line and CHAT_FOLDER where a caller sent nothing, though it did before', () => {
  const run = { name: 'a', seed: 1, startedAt: new Date(), durationMs: 1 };
  const end = { kind: 'exited', code: 5, output: 'order-1 is unresolved\n' } as const;
  const played = [
    timeline([chat(0)], { scenario: 'plain-use' }),
    timeline([], { scenario: 'no-answer', end }),
  ];
  const { cutShort } = callerSummary(played, run);
  expect(cutShort).toContainEqual(
    expect.stringMatching(/^no-answer: the caller sent no request: order-1 is unresolved \(.*CHAT_FOLDER/),
  );
});
