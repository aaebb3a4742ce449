import { expect, test } from 'vitest';
import { answerLines, END_OF_ANSWERS, readTornRecording } from './answer-lines.ts';

const ONE = { match: { model: 'rome-1' }, text: 'It rains.\n  ]\n}\n' };
const OTHER = { match: { model: 'rome-1', contains: 'a, ]}' }, text: ['"},', '}'] };
const HEAD = '{\n  "models": [\n    {\n      "id": "rome-1"\n    }\n  ],\n  "answers": [';
const BEFORE = HEAD + answerLines([ONE]);

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return readTornRecording(text);
  }
}

test('loses no answer but the one that was being written, wherever that was torn', () => {
  const added = `,${answerLines([OTHER])}${END_OF_ANSWERS}`;
  for (let torn = 0; torn <= added.length; torn += 1) {
    const text = BEFORE + added.slice(0, torn) + END_OF_ANSWERS.slice(torn);
    const isWhole = torn >= added.length - END_OF_ANSWERS.length;
    const answers = isWhole ? [ONE, OTHER] : [ONE];
    expect({ torn, read: read(text) }).toEqual({ torn, read: { models: [{ id: 'rome-1' }], answers } });
  }
});

test.each([
  ['a world that is wrong elsewhere', BEFORE.replace('"id":', '"id"') + END_OF_ANSWERS],
  ['answers that are wrong before the last', `${HEAD}\n    {"text":"a"\n    {"text":"b"}${END_OF_ANSWERS}`],
  ['an answer of several lines', `${HEAD}\n    {\n      "text": "a",\n    }${END_OF_ANSWERS}`],
  ['another text', 'no world'],
])('mends no file given %s', (_what, text) => {
  expect(readTornRecording(text)).toBeUndefined();
});
