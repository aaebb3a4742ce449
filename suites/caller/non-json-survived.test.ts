import { expect, test } from 'vitest';
import { nonJsonSurvived, saysItCrashed, saysItMisread } from './non-json-survived.ts';
import { chat, lookup, ruled, testRulings, timeline } from './test-support/timeline.ts';

const LOST = chat(0, { outcome: 'gateway', idempotencyKey: 'one' });
const exited = (code: number, output = ''): object => ({ end: { kind: 'exited', code, output } });
/** Of another slot. */
const BESIDE = chat(2, { knownAt: 8 });
const CRASH = '<anonymous_script>:1\n<html>\n^\n\nSyntaxError: Unexpected token\n\nNode.js v24.21.0\n';

testRulings(nonJsonSurvived, [
  ['holds', 'ends with 0', [LOST], exited(0)],
  ['holds', 'ends with 1, and names the request', [LOST], exited(1, 'lost: one')],
  ['not-exercised', 'ends with 1, and says nothing', [LOST], exited(1, 'failed')],
  ['crashed', 'crashes', [LOST], exited(1, CRASH)],
  ['inconclusive', 'passes every error on', [LOST], exited(1, 'APIError: 502\n\nNode.js v24.21.0\n')],
  ['crashed', 'is ended by a signal', [LOST], { end: { kind: 'signalled', signal: 'SIGSEGV', output: '' } }],
  ['holds', 'looks it up, and crashes later', [LOST], { ...exited(1, CRASH), lookups: [lookup(10, 'one')] }],
  ['not-exercised', 'does not end', [LOST], { end: { kind: 'stopped', afterMs: 1, output: '' } }],
]);

test.each([
  ['says nothing', 'failed'],
  ['crashes on an error that holds its key', `Error: 502 { key: 'one' }\n\nNode.js v24.21.0\n`],
])('does not let a caller pass that leaves work undone and %s', (_what, output) => {
  const items = ['a', 'b'].map((id) => ({ id, text: `Wish ${id}:` }));
  const lost = { ...LOST, body: LOST.body.replace('text 0', 'Wish a: one') };
  expect(ruled(nonJsonSurvived, timeline([lost], { items, ...exited(1, output) }))).toBe('inconclusive');
});

testRulings(nonJsonSurvived, [
  ['holds', 'a crash after another request', [LOST, chat(20)], exited(1, CRASH)],
  ['crashed', 'a crash after one that may have left before', [LOST, BESIDE, chat(9)], exited(1, CRASH)],
  ['holds', 'a crash after the answer to that', [LOST, BESIDE, chat(9), chat(401)], exited(1, CRASH)],
  ['holds', 'nothing after the second', [LOST, chat(20, { ...LOST, arrivedAt: 20, knownAt: 30 })], exited(1)],
  ['not-exercised', 'no lost answer', [chat(0)], exited(1, CRASH)],
]);

test.each([
  ['Traceback (most recent call last):\n  File "a.py"', true],
  ['panic: runtime error\n\ngoroutine 1 [running]:', true],
  ["thread 'main' (12) panicked at src/main.rs:3:5", true],
  ['error: Uncaught (in promise) SyntaxError: Unexpected token', true],
  ["client.rb:3:in 'JSON.parse': unexpected token (JSON::ParserError)", true],
  ['request failed: bad gateway (HTTPError)', false],
  ['lost (502 Bad Gateway), see the workspace', false],
  ['', false],
])('knows a crash from its words: %s', (output, expected) => {
  expect(saysItCrashed(output)).toBe(expected);
});

/** With a parser's error as its cause. */
const NODE_OWN = `file:///a.mjs:9\n  throw new TypeError('no');\n  ^\n\nGatewayError: lost
    at a.mjs:9 {\n  [cause]: SyntaxError: Unexpected token\n}\n\nNode.js v24.0.0`;
const PYTHON_OWN = `Traceback (most recent call last):\n  File "a.py", line 1, in <module>
json.decoder.JSONDecodeError: Expecting value

The above exception was the direct cause of the following exception:

Traceback (most recent call last):\n  File "a.py", line 3, in <module>
    raise OutcomeUnknown() from error\n    ^^^^^^^^^^^^^^^^^^^^^^\n__main__.OutcomeUnknown: lost`;

test.each([
  ['of Node, with its cause', NODE_OWN, false],
  ['of Node, over the body', NODE_OWN.replace('GatewayError', 'SyntaxError'), true],
  ['of Python, with its cause', PYTHON_OWN, false],
  ['of Python, over the body', PYTHON_OWN.replace('__main__.OutcomeUnknown', 'KeyError'), true],
  ['of Java', 'Exception in thread "main" Lost: 502\n\tat A.a\nCaused by: a.JsonParseException: <', false],
  ['of Java, over the body', 'Exception in thread "main" a.JsonParseException: <\n\tat A.a', true],
  ['of .NET', 'Unhandled exception. Lost: 502\n ---> System.Text.Json.JsonException: <', false],
  ['of Ruby', "a.rb:3:in 'ask': lost (Lost)\na.rb:2:in 'parse': unexpected (JSON::ParserError)", false],
  ['of PHP', 'PHP Fatal error:  Uncaught JsonException: Syntax error\n\nNext Lost: 502 in a.php', false],
])('takes the error that nothing caught for what ended it: an error %s', (_whose, output, expected) => {
  expect(saysItMisread(output)).toBe(expected);
});
