import { expect, test } from 'vitest';
import { SENT, SUBJECT } from '../test-support/subject.ts';
import { compileMatch, type Match } from './match.ts';
import { digestOf } from './subject.ts';

test.each<[Match, boolean]>([
  [{}, true],
  [{ endpoint: 'chat', model: 'compact-1', key: 'primary', stream: false }, true],
  [{ endpoint: 'models' }, false],
  [{ model: 'large-1' }, false],
  [{ key: 'second' }, false],
  [{ stream: true }, false],
  [{ idempotency_key: 'i' }, true],
  [{ idempotency_key: 'j' }, false],
  [{ request_header: 'X-Team' }, true],
  [{ request_header: 'x-team: blue' }, true],
  [{ request_header: 'x-team:blue' }, true],
  [{ request_header: 'x-team: red' }, false],
  [{ request_header: ['x-team', 'x-other'] }, false],
  [{ request_header: ['x-team', 'set-cookie: b'] }, true],
  [{ contains: 'weather\nin Rome' }, true],
  [{ contains: 'Oslo' }, false],
  [{ contains: 'Oslo', in: 'all' }, true],
  [{ contains: 'brief', in: 'system' }, true],
  [{ contains: 'cold', in: 'system' }, false],
  [{ matches: 'rome\\?$' }, false],
  [{ matches: '/rome\\?$/i' }, true],
  [{ matches: '^And', contains: 'Rome' }, true],
  [{ request: SENT }, true],
  [{ request: { messages: SENT.messages.map(({ content, role }) => ({ content, role })) } }, true],
  [{ request: { ...SENT, max_tokens: 3 } }, false],
  [{ request: { messages: SENT.messages.slice(1) } }, false],
  [{ request: { messages: [], digest: digestOf(SENT) } }, true],
])('decides for match %j: %j', (match, isMatched) => {
  expect(compileMatch(match)(SUBJECT) !== null).toBe(isMatched);
});

test('does not match what is not known yet', () => {
  const all: readonly Match[] = [
    { endpoint: 'chat' },
    { contains: 'a' },
    { matches: 'a' },
    { request: SENT },
  ];
  expect(all.filter((match) => compileMatch(match)({ requestId: 'r' }) !== null)).toEqual([]);
});

test('finds the groups of an expression, by number and by name', () => {
  expect(compileMatch({ matches: 'in (?<city>\\w+)(x)?' })(SUBJECT)).toEqual({
    0: 'in Rome',
    1: 'Rome',
    2: '',
    city: 'Rome',
  });
});
