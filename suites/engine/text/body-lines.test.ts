import { expect, test } from 'vitest';
import { bodyLines, isWithin } from './body-lines.ts';

const textOf = (body: string): string =>
  bodyLines(body)
    .map(({ indent, text }) => indent + text)
    .join('\n');

test.each([
  [
    '{"a":1.0,"a":[ ],"b":{"c":"\\u0041, {"}}',
    '{\n  "a": 1.0,\n  "a": [],\n  "b": {\n    "c": "\\u0041, {"\n  }\n}',
  ],
  ['[1e400,[true,null]]', '[\n  1e400,\n  [\n    true,\n    null\n  ]\n]'],
  ['"text"', '"text"'],
  ['data: {"a":1}\n\ndata: [DONE]', 'data: {"a":1}\n\ndata: [DONE]'],
  ['{"a":', '{"a":'],
  ['', ''],
])('indents JSON, and keeps each name and value of %j as it was sent', (body, lines) => {
  expect(textOf(body)).toBe(lines);
});

test('does not indent what is nested so deep that the page would be indent', () => {
  const deep = '['.repeat(40) + ']'.repeat(40);
  expect(textOf(deep)).toBe(deep);
});

test.each([
  ['/messages/0', ['{', '"role": "user"', '}']],
  ['/a~1b', ['"a/b": 1']],
  ['/absent', []],
  ['/m', []],
  ['', []],
  ['the headers', []],
])('finds the lines of the value at %j', (pointer, marked) => {
  const lines = bodyLines('{"messages":[{"role":"user"}],"a/b":1}');
  expect(lines.filter((line) => isWithin(line, pointer)).map(({ text }) => text.replace(/,$/, ''))).toEqual(
    marked,
  );
});
