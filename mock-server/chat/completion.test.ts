import { expect, test } from 'vitest';
import { toUtf8 } from '../protocol/answer.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { assertEmittable, type Completion, createWriteCompletion, jsonUtf8 } from './completion.ts';

const completion: Completion = {
  id: 'chatcmpl-1',
  modelJson: jsonUtf8('modèle "1"'),
  created: 17,
  text: toUtf8('“Ja”\n\u0000\\ 🌿'),
  tokens: 5,
  inputTokens: 3,
  finishReason: 'stop',
};

const { response } = builtInWorld.choices;
const read = (body: string): unknown => JSON.parse(Buffer.from(body, 'latin1').toString());

test('spells a completion as the common convention has it', () => {
  expect(read(createWriteCompletion(response)(completion))).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 17,
    model: 'modèle "1"',
    choices: [
      { index: 0, message: { role: 'assistant', content: '“Ja”\n\u0000\\ 🌿' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  });
});

test('uses the names, the place and the further fields that the world has chosen', () => {
  const body = createWriteCompletion({
    finishReasonField: 'raison "d’arrêt"',
    finishReasonPlace: 'root',
    usageField: 'tokens',
    inputTokensField: 'in',
    outputTokensField: 'out',
    totalTokensField: 'sum',
    extraFields: { système: 'é', nothing: null },
  })(completion);
  expect(read(body)).toMatchObject({
    'raison "d’arrêt"': 'stop',
    choices: [{ index: 0, message: { role: 'assistant' } }],
    tokens: { in: 3, out: 5, sum: 8 },
    système: 'é',
    nothing: null,
  });
});

test('lets nothing be emitted that is empty or longer than allowed', () => {
  expect(() => assertEmittable(completion, 5)).not.toThrow();
  expect(() => assertEmittable(completion, 4)).toThrow('5 tokens, and 4 are allowed');
  expect(() => assertEmittable({ ...completion, text: '' }, 5)).toThrow('empty');
  expect(() => assertEmittable({ ...completion, text: '', tokens: 0 }, 0)).not.toThrow();
});
