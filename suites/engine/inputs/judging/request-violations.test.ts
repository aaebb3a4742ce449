import { expect, test } from 'vitest';
import { infoForTest } from '../../test-support/target-info.ts';
import { isImagePart, isTextPart, requestViolations } from './request-violations.ts';

const { models } = infoForTest();
const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const IMAGE = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }];
const TEXT = { type: 'text', text: 'x' };
const CALL = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];

const bytes = (body: object | string) =>
  new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
const violations = (body: object | string) =>
  requestViolations(bytes(body), models).map(({ clauses, place }) => `${place} ${clauses.join(' ')}`);
const withMessage = (...messages: unknown[]) => ({ ...CHAT, messages });
const saying = (content: unknown, more: object = {}) => withMessage({ role: 'user', content, ...more });

test.each([
  CHAT,
  { ...CHAT, temperature: 0.5, max_tokens: 16, stream: true },
  withMessage({ role: 'system', content: '' }, { role: 'assistant', content: 'x' }),
  { model: 'sharp', messages: [{ role: 'user', content: IMAGE }] },
  '{"model":"small","messages":[{"role":"user","content":"Hi."}],"max_tokens":1e400,"temperature":1e400}',
])('returns none given what the specification allows: %j', (body) => {
  expect(violations(body)).toEqual([]);
});

test.each([
  [{ ...CHAT, top_p: 1 }, ['/top_p REQ-6']],
  ['{"model":"small","messages":[{"role":"user","content":"Hi."}],"__proto__":1}', ['/__proto__ REQ-6']],
  [{ ...CHAT, tools: [] }, ['/tools REQ-6 SVC-5']],
  [{ ...CHAT, mcp_servers: [] }, ['/mcp_servers REQ-6 SVC-5']],
  [{ ...CHAT, no_mcp_here: 1 }, ['/no_mcp_here REQ-6']],
  [{ messages: CHAT.messages }, ['/model REQ-1']],
  [{ ...CHAT, model: 'smal' }, ['/model SVC-7 ERR-3 MOD-2']],
  [{ model: 'small' }, ['/messages REQ-2']],
  [{ model: 'small', prompt: 'Hi.' }, ['/messages REQ-2 REQ-6']],
  [{ model: 'small', input: CHAT.messages, stream: true }, ['/messages REQ-2 REQ-6']],
  [{ model: 'small', contents: CHAT.messages }, ['/messages REQ-2 REQ-6']],
  [{ ...CHAT, prompt: 'Hi.' }, ['/prompt REQ-6']],
  [withMessage('Hi.'), ['/messages/0 REQ-2']],
  [withMessage(), ['/messages MSG-6']],
  [{ ...CHAT, temperature: '0.5' }, ['/temperature REQ-3']],
  [
    { ...CHAT, temperature: null, stream: null, max_tokens: null },
    ['/temperature REQ-8', '/max_tokens REQ-8', '/stream REQ-8'],
  ],
  [{ ...CHAT, max_tokens: 1.5 }, ['/max_tokens REQ-4']],
  [{ ...CHAT, max_tokens: '16' }, ['/max_tokens REQ-4']],
  [{ ...CHAT, stream: 'true' }, ['/stream REQ-5']],
  [withMessage(CHAT.messages[0], { role: 'User', content: 'x' }), ['/messages/1/role MSG-1']],
  [withMessage({ role: 'tool', content: 'x' }), ['/messages/0/role MSG-1 SVC-5']],
  [withMessage({ role: 'function', content: 'x' }), ['/messages/0/role MSG-1 SVC-5']],
  [withMessage({ content: 'x' }), ['/messages/0/role MSG-6']],
  [withMessage({ role: 'user' }), ['/messages/0/content MSG-6']],
  [saying(7), ['/messages/0/content MSG-2']],
  [saying(['Hi.']), ['/messages/0/content MSG-2']],
  [saying([TEXT, { type: 'input_audio' }]), ['/messages/0/content MSG-2']],
  [saying([TEXT, { type: 'tool_result' }]), ['/messages/0/content MSG-2 SVC-5']],
  [saying([TEXT, { type: ['tool_result'] }]), ['/messages/0/content MSG-2']],
  [saying([{ type: 'function_call' }]), ['/messages/0/content MSG-2 SVC-5']],
  [saying([{ ...TEXT, type: 'tool' }]), ['/messages/0/content MSG-5']],
  [saying([]), ['/messages/0/content MSG-5']],
  [{ ...saying([...IMAGE, 7]), model: 'sharp' }, ['/messages/0/content MSG-2']],
  [withMessage({ role: 'system', content: [TEXT, ...IMAGE] }), ['/messages/0/content MSG-3']],
  [saying([TEXT]), ['/messages/0/content MSG-5']],
  [withMessage({ role: 'system', content: IMAGE }), ['/messages/0/content MSG-3']],
  [saying(IMAGE), ['/messages/0/content MSG-4']],
  [saying('x', { name: 'n' }), ['/messages/0/name MSG-6']],
  [saying('x', { tool_calls: CALL }), ['/messages/0/tool_calls MSG-6']],
  [saying('x', { tool_call_id: 'c' }), ['/messages/0/tool_call_id MSG-6']],
  [saying('x', { function_call: {} }), ['/messages/0/function_call MSG-6']],
  [withMessage({ role: 'tool', content: 7 }), ['/messages/0 SVC-5']],
  [withMessage({ role: 'assistant', content: null, tool_calls: CALL }), ['/messages/0 SVC-5']],
  [withMessage({ role: 'tool', tool_call_id: 'c', content: 'x' }), ['/messages/0 SVC-5']],
  [withMessage({ type: 'function_call_output', output: 'x' }), ['/messages/0 SVC-5']],
  ['[]', [' SVC-1']],
  ['{', [' SVC-1']],
  // Several places, of which none is of a tool call.
  [{ ...CHAT, temperature: '1', n: 2 }, ['/n REQ-6', '/temperature REQ-3']],
  [{ model: 'small', prompts: 'Hi.' }, ['/prompts REQ-6', '/messages REQ-2']],
  [withMessage({ role: 'User', content: 7 }), ['/messages/0/role MSG-1', '/messages/0/content MSG-2']],
  [withMessage({ content: 7 }), ['/messages/0/role MSG-6', '/messages/0/content MSG-2']],
  [
    withMessage({ role: 'User', content: 'x', type: ['function_call'] }),
    ['/messages/0/role MSG-1', '/messages/0/type MSG-6'],
  ],
  [{ model: 'small', prompt: 'Hi.', n: 2 }, ['/prompt REQ-6', '/n REQ-6', '/messages REQ-2']],
])('returns the places given %j', (body, expected) => {
  expect(violations(body)).toEqual(expected);
});

const IMAGES = [
  { type: 'image_url', image_url: {} },
  { type: 'input_image' },
  { type: 'Image' },
  ...['image_url', 'image', 'input_image', 'inline_data', 'inlineData', 'source'].map((name) => ({
    [name]: {},
  })),
];

test.each([
  ['an image', [true, false], [...IMAGES, ...IMAGES.map((part) => ({ ...part, text: 'x' }))]],
  ['text', [false, true], [TEXT, { type: 'text', text: '', image: 'x' }, { text: 'x' }]],
  ['neither', [false, false], [{ type: 'text' }, { text: 7 }, { type: 7 }, {}, 'text', ['text'], null, 7]],
])('takes a part for %s', (_, expected, parts) => {
  for (const part of parts) expect([isImagePart(part), isTextPart(part)]).toEqual(expected);
});

test.each<[words: string, body: object]>([
  ['the body is not a JSON object', [1]],
  ['the field `tools` is unknown', { ...CHAT, tools: [] }],
  ['the field `unheard_of` is unknown', { ...CHAT, unheard_of: null }],
  ['the field "" is unknown', { ...CHAT, '': 1 }],
  [String.raw`the field "model\u0000" is unknown`, { ...CHAT, 'model\u0000': 1 }],
  ['the field "a/b" is unknown', { ...CHAT, 'a/b': 1 }],
  ['`max_tokens` is 1.5', { ...CHAT, max_tokens: 1.5 }],
  ['`stream` is "true"', { ...CHAT, stream: 'true' }],
  ['`temperature` is null', { ...CHAT, temperature: null }],
  ['`model` is missing', { messages: CHAT.messages }],
  ['`model` is 3', { ...CHAT, model: 3 }],
  ['the model "gpt-4o-mini" is not listed', { ...CHAT, model: 'gpt-4o-mini' }],
  ['`messages` is missing', { model: 'small', prompt: 'Hi.' }],
  ['`messages` is an empty list', withMessage()],
  ['`messages[1]` is "Hi."', withMessage(...CHAT.messages, 'Hi.')],
  ['`messages[0].role` is "developer"', withMessage({ role: 'developer', content: 'Hi.' })],
  ['`messages[1].content` is null', withMessage(...CHAT.messages, { role: 'assistant', content: null })],
  [
    '`messages[0].content` has an image outside a user message',
    withMessage({ role: 'system', content: IMAGE }),
  ],
  ['`messages[0].content` has an image, but the model has no vision', saying(IMAGE)],
  [`the model "${'x'.repeat(59)}… is not listed`, { ...CHAT, model: 'x'.repeat(10_000) }],
])('says that %s', (words, body) => {
  expect(requestViolations(bytes(body), models)[0]?.because).toBe(words);
});
