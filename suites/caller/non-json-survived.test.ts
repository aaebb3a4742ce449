import { expect, test } from 'vitest';
import { saysItCrashed } from './crash-signs.ts';
import { nonJsonSurvived } from './non-json-survived.ts';
import { chat, GATEWAY, look, ruled, timeline } from './timeline-for-test.ts';

const LOST = chat(0, { met: GATEWAY, idempotencyKey: 'one' });
const exited = (code: number, output = ''): object => ({ end: { kind: 'exited', code, output } });
const CRASH = 'SyntaxError: Unexpected token\n    at JSON.parse\n\nNode.js v24.21.0\n';

test.each([
  ['holds', 'ends with 0', exited(0)],
  ['holds', 'ends with 1, and names the request', exited(1, 'lost: one')],
  ['not-exercised', 'ends with 1, and says nothing', exited(1, 'failed')],
  ['crashed', 'crashes', exited(1, CRASH)],
  ['inconclusive', 'passes every error on', exited(1, 'APIError: 502\n\nNode.js v24.21.0\n')],
  ['crashed', 'is ended by a signal', { end: { kind: 'signalled', signal: 'SIGSEGV', output: '' } }],
  ['holds', 'looks it up, and crashes later', { ...exited(1, CRASH), looks: [look(10, 'one')] }],
  ['not-exercised', 'does not end', { end: { kind: 'stopped', afterMs: 1, output: '' } }],
] as const)('returns %s given a caller that %s', (expected, _what, more) => {
  expect(ruled(nonJsonSurvived, timeline([LOST], more))).toBe(expected);
});

test('takes a later request for a sign of life', () => {
  expect(ruled(nonJsonSurvived, timeline([LOST, chat(20)], exited(1, CRASH)))).toBe('holds');
  expect(ruled(nonJsonSurvived, timeline([chat(0)], exited(1, CRASH)))).toBe('not-exercised');
});

test.each([
  ['Traceback (most recent call last):\n  File "a.py"', true],
  ['panic: runtime error\n\ngoroutine 1 [running]:', true],
  ['Exception in thread "main" java.lang.IllegalStateException', true],
  ["thread 'main' (12) panicked at src/main.rs:3:5", true],
  ['Unhandled exception. System.Text.Json.JsonException', true],
  ['error: Uncaught (in promise) SyntaxError: Unexpected token', true],
  ["client.rb:3:in 'JSON.parse': unexpected token (JSON::ParserError)", true],
  ['request failed: bad gateway (HTTPError)', false],
  ['lost (502 Bad Gateway), see the workspace', false],
  ['', false],
])('knows a crash from its words: %s', (output, expected) => {
  expect(saysItCrashed(output)).toBe(expected);
});
