/* oxlint-disable unicorn/no-thenable -- a word of the syntax of a rule, never a function */
import { expect, test } from 'vitest';
import { ANSWER_KIND, readAnswer } from '../answers/compile-answers.ts';
import { InputError } from '../input/input-error.ts';
import { asLine } from '../rules/line.ts';
import { readRuleLine } from '../rules/rule-kind.ts';
import { compileFault, FAULT_KIND } from './compile-faults.ts';

test.each([
  ['timeout', { fault: 'timeout' }],
  [
    ' gateway_failure  phase=after-debit body=html times=1 ',
    { fault: 'gateway_failure', phase: 'after-debit', body: 'html', times: 1 },
  ],
  ['phase=after-debit timeout', { fault: 'timeout', phase: 'after-debit' }],
  ['timeout ms=0500 nth=07 contains=007', { fault: 'timeout', ms: 500, match: { nth: 7, contains: '007' } }],
  ['rate_limit probability=0.25', { fault: 'rate_limit', probability: 0.25 }],
  ['pieces bytes=-3', { fault: 'pieces', bytes: -3 }],
  ['own_answer body=5 content_type=5', { fault: 'own_answer', body: '5', content_type: 5 }],
  [
    'stall endpoint=chat model=7 stream=true key=second nth=2 bytes=4 contains=true',
    {
      fault: 'stall',
      bytes: 4,
      match: { endpoint: 'chat', model: '7', stream: true, key: 'second', nth: 2, contains: 'true' },
    },
  ],
  [
    'timeout request_header=x-a request_header="x-b: 5" idempotency_key=7 per=idempotency_key',
    {
      fault: 'timeout',
      match: { request_header: ['x-a', 'x-b: 5'], idempotency_key: '7', per: 'idempotency_key' },
    },
  ],
  [
    String.raw`timeout model="a \"b\" c" then=fails`,
    { fault: 'timeout', then: 'fails', match: { model: 'a "b" c' } },
  ],
  ['timeout __proto__=1', { fault: 'timeout', ['__proto__']: 1 }],
  ['', {}],
])('reads the fault %j', (line, rule) => {
  expect(readRuleLine(line, FAULT_KIND)).toEqual(rule);
});

test.each([
  ['text="a b" contains=42', { text: 'a b', match: { contains: '42' } }],
  ['text=one text=two text="3 and 4"', { text: ['one', 'two', '3 and 4'] }],
  [
    'tokens=50 finish=length usage.input=10 usage.output=5 latency=2.5',
    { tokens: 50, finish: 'length', usage: { input: 10, output: 5 }, latency: 2.5 },
  ],
  [
    String.raw`template="{{group.1}}" matches="(\\d+)" in=all every=2 stream=true key=primary`,
    {
      template: '{{group.1}}',
      match: { matches: String.raw`(\d+)`, in: 'all', every: 2, stream: true, key: 'primary' },
    },
  ],
  [
    'text=a headers.x-cache=5 headers.x-b="c d" unchecked=true',
    { text: 'a', headers: { 'x-cache': '5', 'x-b': 'c d' }, unchecked: true },
  ],
  ['__proto__=1 text=a', { ['__proto__']: 1, text: 'a' }],
])('reads the answer %j', (line, rule) => {
  expect(readRuleLine(line, ANSWER_KIND)).toEqual(rule);
});

test('takes a line of an answer that begins with no NAME= for the text itself', () => {
  expect([readAnswer('It rains.'), readAnswer('a b=c')]).toEqual([{ text: 'It rains.' }, { text: 'a b=c' }]);
});

test.each([
  ['fault', 'own_answer body=a b', 'with a value of more than one word in quotes: a word has no name'],
  ['fault', 'timeout ms=1 ms=2', '/ms: given twice'],
  ['fault', 'fault=timeout rate_limit', '/fault: given twice'],
  ['fault', 'timeout =1', 'in quotes, from character 8 on'],
  ['fault', 'timeout ms="1', 'from character 8 on'],
  ['fault', 'timeout key="a"b', 'from character 8 on'],
  ['fault', String.raw`timeout key="\q"`, '/key: not a JSON string'],
  ['fault', `timeout ${'a'.repeat(50_000)}="${'\\'.repeat(50_001)}`, 'from character 8'],
  [
    'answer',
    'text=a b',
    'NAME=VALUE is needed, with a value of more than one word in quotes: a word has no name',
  ],
  ['answer', 'text=a contains="b', 'from character 7 on'],
  ['answer', 'finish=stop finish=length', '/finish: given twice'],
  ['answer', 'usage.input=1 usage.input=2', '/usage/input: given twice'],
] as const)('refuses the line of a %s with the place: %j', (kind, line, problem) => {
  const read = (): unknown => readRuleLine(line, kind === 'fault' ? FAULT_KIND : ANSWER_KIND);
  expect(read).toThrow(InputError);
  expect(read).toThrow(problem);
});

const wordsOf = (line: string): readonly string[] => line.split(/ (?=[\w.-]+=)/).toSorted();

test.each([
  ['gateway_failure times=1', 'gateway_failure times=1 status=502 body=html phase=during-generation'],
  [
    'timeout ms=100..500 model="a b"',
    'timeout ms=100..500 phase=during-generation endpoint=chat model="a b"',
  ],
  [
    'own_answer body="5"',
    'own_answer status=200 content_type=application/json body="5" phase=during-generation',
  ],
  ['service_unavailable retry_after=""', 'service_unavailable retry_after="" phase=before-authentication'],
  [
    'timeout request_header=x-a request_header="x-b: 5"',
    'timeout phase=during-generation request_header=x-a request_header="x-b: 5"',
  ],
])('writes the fault %s as a line that arms the same rule', (given, expected) => {
  const { words } = compileFault(given);
  expect(wordsOf(asLine({ ...words }))).toEqual(wordsOf(expected));
  expect(compileFault(asLine({ ...words })).words).toEqual(words);
});

test.each([
  'text="It rains." text=b contains=weather',
  'text="true" usage.output=40 headers.x-cache=hit unchecked=true nth=2 after=0 probability=0.5',
])('writes the answer %s as a line that arms the same rule', (given) => {
  const words = readAnswer(given);
  expect(wordsOf(asLine({ ...words }))).toEqual(wordsOf(given));
  expect(readAnswer(asLine({ ...words }))).toEqual(words);
});
