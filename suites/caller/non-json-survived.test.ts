import { expect, test } from 'vitest';
import { nonJsonSurvived } from './non-json-survived.ts';
import { chat, lookup, ruled, testRulings, timeline } from './test-support/timeline.ts';
import type { Timeline } from './timeline.ts';

const LOST = chat(0, { outcome: 'gateway', idempotencyKey: 'one' });
const exited = (code: number, output = ''): object => ({ end: { kind: 'exited', code, output } });
const SAID_EARLY = { end: { kind: 'exited', code: 1, output: 'one', written: [{ at: 1, text: 'one' }] } };
/** Of another slot. */
const BESIDE = chat(2, { knownAt: 8 });
const CRASH = '<anonymous_script>:1\n<html>\n^\n\nSyntaxError: Unexpected token\n\nNode.js v24.21.0\n';

testRulings(nonJsonSurvived, [
  ['holds', 'ends with 0', [LOST], exited(0)],
  ['holds', 'ends with 1, and names the request', [LOST], exited(1, 'lost: one')],
  ['not-exercised', 'ends with 1, and says nothing', [LOST], exited(1, 'failed')],
  ['not-exercised', 'ends with 1, and named the request before', [LOST], SAID_EARLY],
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

const ITEMS = ['a', 'b'].map((id) => ({ id, text: `Wish ${id}:` }));
const [OF_A, OF_B] = ITEMS.map(({ text }) => LOST.body.replace('text 0', text));

/** A scenario in which the answer to the first item is lost, and the caller goes on, or ends so. */
function losing(outcome: 'gateway' | 'cut', how: 'goes on' | 'hangs' | number, items = ITEMS): Timeline {
  const end =
    how === 'hangs' ? { end: { kind: 'stopped', afterMs: 1, output: '' } } : exited(Number(how) || 0);
  const first = chat(0, { outcome, body: OF_A ?? '' });
  const next = how === 'goes on' ? [chat(20, { body: OF_B ?? '' })] : [];
  return timeline([first, ...next], { items, ...end });
}

/** All work of a caller that does its own. */
const PLAIN = timeline([chat(0), chat(20)], { scenario: 'plain-use' });

test.each([
  ['stopped', 'hangs', 'goes on'],
  ['stopped', 0, 'goes on'],
  ['stopped', 1, 'goes on'],
  ['holds', 0, 0],
  ['inconclusive', 1, 1],
  ['not-exercised', 'hangs', 'hangs'],
] as const)(
  'returns %s given a caller that %s where an answer is not JSON, and %s at another loss',
  (expected, here, there) => {
    expect(ruled(nonJsonSurvived, losing('gateway', here), [losing('cut', there)])).toBe(expected);
    const own = [PLAIN, losing('cut', there, [])];
    expect(ruled(nonJsonSurvived, losing('gateway', here, []), own)).toBe(expected);
  },
);

test('lets no caller pass that ends at a body, leaves work undone, and was tried with no other loss', () => {
  expect(ruled(nonJsonSurvived, losing('gateway', 0))).toBe('inconclusive');
});
