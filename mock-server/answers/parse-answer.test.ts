import { expect, test } from 'vitest';
import { RuleError } from '../rules/rule-error.ts';
import { parseAnswer } from './compile-answers.ts';

test.each([
  ['It rains.', { text: 'It rains.' }],
  ['', { text: '' }],
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
    'text=a headers.x-cache=hit headers.x-b="c d" unchecked=true',
    { text: 'a', headers: { 'x-cache': 'hit', 'x-b': 'c d' }, unchecked: true },
  ],
  ['__proto__=1 text=a', { ['__proto__']: '1', text: 'a' }],
])('reads %j', (line, rule) => {
  expect(parseAnswer(line)).toEqual(rule);
});

test.each([
  ['text=a b', 'nothing is called b'],
  ['text=a contains="b', 'from character 7 on'],
  ['finish=stop finish=length', '/finish: given twice'],
  ['usage.input=1 usage.input=2', '/input: given twice'],
  [String.raw`text="\q"`, '/text: not a JSON string'],
])('refuses %j', (line, problem) => {
  expect(() => parseAnswer(line)).toThrow(RuleError);
  expect(() => parseAnswer(line)).toThrow(problem);
});
