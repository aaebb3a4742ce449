import { expect, test } from 'vitest';
import { InputError } from '../input/input-error.ts';
import { SUBJECT } from '../test-support/subject.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { type AnswerRule, compileAnswers } from './compile-answers.ts';

function compile(rule: unknown): AnswerRule {
  const [compiled] = compileAnswers([rule], builtInWorld);
  if (compiled === undefined) throw new Error('nothing was compiled');
  return compiled;
}

test('fills a template with the request, the groups and the turn', () => {
  const template =
    '{{ group.city }}, {{group.1}}, {{group.9}}; {{turn}} {{model}} {{key}} {{messages}} {{system}} {{user}}';
  const rule = compile({ match: { matches: 'in (?<city>\\w+)' }, template });
  const found = rule.meets(SUBJECT);
  if (found === null) throw new Error('the rule does not match');
  expect(rule.choose(SUBJECT, found, 6).text).toBe(
    'Rome, Rome, ; 7 compact-1 primary 4 Be brief. And the weather\nin Rome?',
  );
});

test('does not fill what the request itself puts into a template', () => {
  const sent = { messages: [{ role: 'user', content: '{{system}} $&' }] };
  expect(compile({ template: '{{user}}!' }).choose({ ...SUBJECT, sent }, {}, 0).text).toBe('{{system}} $&!');
});

test.each([
  [{ texts: 'a' }, '/0/texts: unknown field (did you mean text?); allowed: match, times, after'],
  [{ contains: 'a', text: 'b' }, '/0/contains: unknown field, which belongs in match; allowed: match'],
  [{ match: { body: 'a' } }, '/0/match/body: unknown field; allowed: endpoint, model'],
  [{ match: { endpoint: 'images' } }, '/0/match/endpoint: expected one of models, chat, vision'],
  [{ match: { endpoint: 'models', stream: true } }, '/0/match/stream: only for chats'],
  [{ match: { endpoint: 'vision' }, usage: { input: 1 } }, '/0/usage: only for chats'],
  [{ match: { endpoint: 'models' }, text: 'a' }, '/0/text: a body for models is not validated'],
  [{ match: { matches: '(' } }, '/0/match/matches: not a regular expression'],
  [{ match: { model: 'gpt' } }, '/0/match/model: no model of this world; it has '],
  [{ match: { key: 'gpt' } }, '/0/match/key: no key of this world; it has primary'],
  [{ match: { nth: 1, every: 2 } }, '/0/match/every: cannot be combined with nth'],
  [{ match: { in: 'all' } }, '/0/match/in: needs contains or matches'],
  [{ text: 'a', template: 'b' }, '/0/template: cannot be combined with text'],
  [{ text: 'a', tokens: 2 }, '/0/tokens: cannot be combined with text'],
  [{ text: [] }, '/0/text: expected a text'],
  [{ tokens: 1_000_001 }, '/0/tokens: expected a whole number from 1 to 1000000'],
  [{ text: '' }, '/0/text: an empty answer breaks the specification'],
  [{ text: ['a', ''] }, '/0/text: an empty answer breaks the specification'],
  [{ template: '{{usr}}' }, '/0/template: {{usr}} is not a placeholder; the placeholders are {{user}}'],
  [{ finish: 'tool_calls' }, '/0/finish: expected one of stop, length, content_filter'],
  [{ finish: 'a "b"' }, '/0/finish: expected one of stop, length, content_filter'],
  [{ usage: { output: 0 } }, '/0/usage/output: expected at least 1'],
  [{ usage: { total: 1 } }, '/0/usage/total: unknown field; allowed: input, output'],
  [{ headers: { 'Content-Length': '1' } }, '/0/headers/Content-Length: the mock sends this header itself'],
  [{ headers: { 'x a': '1' } }, '/0/headers/x a: not a valid HTTP header'],
  [{ headers: { 'x-a': 'a\nb' } }, '/0/headers/x-a: not a valid HTTP header'],
  ['finish=stop finish=stop', '/0/finish: given twice'],
  [7, '/0: expected an object'],
])('refuses %j', (rule, problem) => {
  expect(() => compile(rule)).toThrow(InputError);
  expect(() => compile(rule)).toThrow(problem);
});

test('allows what breaks the specification where it is not checked', () => {
  const words = { text: '', finish: 'tool_calls', usage: { output: 0 }, unchecked: true };
  expect(compile(words).choose(SUBJECT, {}, 0)).toEqual(words);
});
