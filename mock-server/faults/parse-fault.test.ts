/* oxlint-disable unicorn/no-thenable -- a word of the syntax of a rule, never a function */
import { expect, test } from 'vitest';
import { parseFault } from './compile-rules.ts';

test.each([
  ['timeout', { fault: 'timeout' }],
  [
    ' gateway_failure  phase=after-debit body=html times=1 ',
    { fault: 'gateway_failure', phase: 'after-debit', body: 'html', times: 1 },
  ],
  ['phase=after-debit timeout', { fault: 'timeout', phase: 'after-debit' }],
  ['rate_limit probability=0.25', { fault: 'rate_limit', probability: 0.25 }],
  ['wrong_content_length difference=-3', { fault: 'wrong_content_length', difference: -3 }],
  [
    'stall endpoint=chat model=7 stream=true key=second nth=2 bytes=4',
    {
      fault: 'stall',
      bytes: 4,
      match: { endpoint: 'chat', model: '7', stream: true, key: 'second', nth: 2 },
    },
  ],
  [
    String.raw`timeout model="a \"b\" c" then=fails`,
    { fault: 'timeout', then: 'fails', match: { model: 'a "b" c' } },
  ],
  ['timeout __proto__=1', { fault: 'timeout', ['__proto__']: 1 }],
  ['', {}],
])('reads %j', (text, rule) => {
  expect(parseFault(text)).toEqual(rule);
});

test.each([
  ['timeout rate_limit', '/fault: given twice'],
  ['timeout ms=1 ms=2', '/ms: given twice'],
  ['timeout =1', 'a fault and then NAME=VALUE are needed, from character 8 on'],
  ['timeout ms="1', 'from character 8 on'],
  ['timeout key="a"b', 'from character 8 on'],
  [String.raw`timeout key="\q"`, '/key: not a JSON string'],
])('refuses %j with the place', (text, message) => {
  expect(() => parseFault(text)).toThrow(message);
});

test('takes no longer for long lines than they are long', () => {
  expect(() => parseFault(`timeout ${'a'.repeat(50_000)}="${'\\'.repeat(50_001)}`)).toThrow(
    'from character 8',
  );
});
