import { expect, test } from 'vitest';
import { infoForTest } from '../../test-support/target-info.ts';
import { requestViolations } from './request-violations.ts';
import { violationInWords } from './violation-in-words.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const IMAGE = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }];

const withMessages = (...messages: readonly unknown[]) => ({ ...CHAT, messages });

test.each<[words: string, body: unknown]>([
  ['the body is not a JSON object', [1]],
  ['the field `tools` is unknown', { ...CHAT, tools: [] }],
  ['the field `unheard_of` is unknown', { ...CHAT, unheard_of: null }],
  ['the field with the empty name is unknown', { ...CHAT, '': 1 }],
  [String.raw`the field "model\u0000" is unknown`, { ...CHAT, 'model\u0000': 1 }],
  ['the field "a/b" is unknown', { ...CHAT, 'a/b': 1 }],
  ['`max_tokens` is 1.5', { ...CHAT, max_tokens: 1.5 }],
  ['`stream` is "true"', { ...CHAT, stream: 'true' }],
  ['`temperature` is null', { ...CHAT, temperature: null }],
  ['`model` is missing', { messages: CHAT.messages }],
  ['`model` is 3', { ...CHAT, model: 3 }],
  ['the model "gpt-4o-mini" is not listed', { ...CHAT, model: 'gpt-4o-mini' }],
  ['`messages` is missing', { model: 'small', prompt: 'Hi.' }],
  ['`messages` is an empty list', withMessages()],
  ['`messages[1]` is "Hi."', withMessages(...CHAT.messages, 'Hi.')],
  ['`messages[0].role` is "developer"', withMessages({ role: 'developer', content: 'Hi.' })],
  ['`messages[1].content` is null', withMessages(...CHAT.messages, { role: 'assistant', content: null })],
  [
    '`messages[0].content` holds an image, and is not of a user message',
    withMessages({ role: 'system', content: IMAGE }),
  ],
  [
    '`messages[0].content` holds an image, and the model has no vision',
    withMessages({ role: 'user', content: IMAGE }),
  ],
  [`the model "${'x'.repeat(59)}… is not listed`, { ...CHAT, model: 'x'.repeat(10_000) }],
])('says that %s', (words, body) => {
  const bytes = Buffer.from(JSON.stringify(body));
  const [violation] = requestViolations(bytes, infoForTest().models);
  expect(violation && violationInWords(violation, bytes)).toBe(words);
});
