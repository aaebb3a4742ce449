import { expect, test } from 'vitest';
import { requestReduced } from './after-failures.ts';
import {
  fiveFieldsOnly,
  keyOnServerSide,
  listedModelsOnly,
  modelsReadAgain,
  versionInBaseAddress,
  visionAskedFirst,
} from './requests-sent.ts';
import { body, chat, get, ruled, testRulings, timeline } from './test-support/timeline.ts';
import type { ObservedRequest } from './timeline.ts';

const MODELS = get(-20, '/v1/models', { data: [{ id: 'm-1' }, { id: 'm-2' }] });
const UNKNOWN = { outcome: 'unknown-model', status: 404 } as const;

const VISION = get(-20, '/v1/vision-capabilities', ['m-1']);
const REREAD = { ...MODELS, arrivedAt: 10, knownAt: 12 };
const OTHER_MODEL = chat(20, { body: body('a', { model: 'm-2' }) });

testRulings(listedModelsOnly, [
  ['holds', 'a listed model', [MODELS, chat(0)]],
  ['holds', 'a model that the vision endpoint named', [VISION, chat(0)]],
  ['unlisted-model', 'a model before the list', [chat(0), get(20, '/v1/models', ['m-1'])]],
  ['unlisted-model', 'a part of an ID', [MODELS, chat(0, { body: body('a', { model: 'm' }) })]],
  ['unlisted-model', 'a list that was refused', [{ ...MODELS, status: 503 }, chat(0)]],
  ['unlisted-model', 'a list of another provider', [{ ...MODELS, place: 'elsewhere' }, chat(0)]],
  ['not-exercised', 'no chat', [MODELS]],
  ['not-exercised', 'the model that the configuration names', [chat(0)], { givenModel: 'm-1' }],
  ['unlisted-model', 'another one than it names', [chat(0)], { givenModel: 'm-2' }],
  ['not-exercised', 'a model that it may have read elsewhere', [chat(0)], { secretModels: false }],
  ['unlisted-model', 'one of these that is refused', [chat(0, UNKNOWN)], { secretModels: false }],
  ['holds', 'a listed one that was refused and is used on', [MODELS, chat(0, UNKNOWN), chat(20)]],
]);

testRulings(modelsReadAgain, [
  ['refused-model', 'a refused model again', [MODELS, chat(0, UNKNOWN), chat(20)]],
  ['holds', 'a refused model after another look', [MODELS, chat(0, UNKNOWN), REREAD, chat(20)]],
  ['holds', 'another model after a refusal', [MODELS, chat(0, UNKNOWN), OTHER_MODEL]],
  ['holds', 'a refused model in a request already in flight', [MODELS, chat(0, UNKNOWN), chat(2)]],
  ['holds', 'nothing after a refusal', [MODELS, chat(0, UNKNOWN)]],
  ['refused-model', 'a configured model again', [chat(0, UNKNOWN), chat(20)], { givenModel: 'm-1' }],
  ['not-exercised', 'no refusal', [MODELS, chat(0), chat(20)]],
  ['not-exercised', 'a model again that no list returned', [chat(0, UNKNOWN), chat(20)]],
]);

test('does not blame requests that may have crossed a refusal, and all that follow it', () => {
  const at = (ms: number, more: object = {}): ObservedRequest => chat(ms, { knownAt: ms + 400, ...more });
  const refused = at(160, { ...UNKNOWN, knownAt: 165 });
  const four = [MODELS, at(158), refused, at(168), at(170)];
  expect(ruled(modelsReadAgain, timeline(four))).toBe('inconclusive');
  expect(ruled(requestReduced, timeline(four))).toBe('not-exercised');
  expect(ruled(modelsReadAgain, timeline([...four, at(900)]))).toBe('refused-model');
  const sameWork = at(168, { body: refused.body });
  expect(ruled(modelsReadAgain, timeline([MODELS, at(158), refused, sameWork]))).toBe('refused-model');
});

test('does not blame what a slow caller that sends some at once may have begun before it read a refusal', () => {
  const slow = [MODELS, chat(0, UNKNOWN), chat(100, { knownAt: 500 }), chat(160, { knownAt: 560 })];
  expect(ruled(modelsReadAgain, timeline(slow))).toBe('inconclusive');
  expect(ruled(modelsReadAgain, timeline([...slow, chat(1100)]))).toBe('refused-model');
});

test('does not take another question under the same instructions for the refused work', () => {
  const asked = (content: string): string => {
    const system = { role: 'system', content: 'You are a patient teacher of geography.' };
    return JSON.stringify({ model: 'm-1', messages: [system, { role: 'user', content }] });
  };
  const refused = chat(0, { body: asked('Name a river.'), outcome: 'token-limit' });
  const next = chat(20, { body: asked('Name a lake, and say why.') });
  expect(ruled(requestReduced, timeline([refused, next]))).toBe('not-exercised');
  expect(ruled(requestReduced, timeline([refused, { ...next, body: refused.body }]))).toBe('not-reduced');
});

const said = (message: object): string => JSON.stringify({ model: 'm-1', messages: [message] });

test.each([
  ['holds', body('a', { temperature: 1, max_tokens: 2, stream: false }), ''],
  ['extra-field', body('a', { top_p: 1 }), ''],
  ['extra-field', body('a', { user: null }), ''],
  ['not-exercised', 'no JSON', ''],
  ['extra-field', said({ role: 'user', content: 'a', cache_control: { type: 'ephemeral' } }), ''],
  ['extra-field', said({ role: 'user', content: [{ type: 'text', text: 'a', cache_control: {} }] }), ''],
  ['holds', said({ role: 'user', name: 'ada', content: 'a' }), ''],
  ['extra-field', body('a'), '?top_p=0.5'],
  ['extra-field', body('a'), '?api-version=2024-10-21'],
  ['holds', body('a'), '?trace=1'],
])('returns %s for fields given %s %s', (expected, text, query) => {
  const seen = timeline([chat(0, { body: text, path: `/v1/chat/completions${query}` })]);
  expect(ruled(fiveFieldsOnly, seen)).toBe(expected);
});

const path = (text: string): ObservedRequest => chat(0, { path: text });

testRulings(versionInBaseAddress, [
  ['holds', 'a query', [path('/v1/chat/completions'), path('/v1/chat/completions?a=b')]],
  ['holds', 'slashes at the end', [path('/v1/chat/completions/'), get(20, '/v1/models/', [])]],
  ['wrong-base', 'another version', [path('/v2/chat/completions/')]],
  ['wrong-base', 'no version', [path('/chat/completions')]],
  ['wrong-base', 'the version twice', [path('/v1/v1/chat/completions')]],
  ['holds', 'other paths', [path('/v1/chat/completions'), path('/favicon.ico'), path('/v1/embeddings')]],
  ['not-exercised', 'only another path', [path('/v1/responses')]],
]);

const PREFLIGHT = {
  method: 'OPTIONS',
  headers: { 'access-control-request-headers': 'authorization, content-type' },
};

const PASSED_ON = {
  ...PREFLIGHT,
  credential: 'none',
  headers: { ...PREFLIGHT.headers, 'x-forwarded-for': '10.0.0.1' },
} as const;
const PAGE = { headers: { origin: 'https://a.example' } };
const IN_A_HEADER = { keyIn: ['the header api-key'] };

const sent = (more: Partial<ObservedRequest>): readonly ObservedRequest[] => [chat(0, more)];

testRulings(keyOnServerSide, [
  ['not-exercised', 'a server', sent({})],
  ['not-exercised', "Node's fetch", sent({ headers: { 'sec-fetch-mode': 'cors' } })],
  ['not-exercised', 'a page, or a server that passes it on', sent(PAGE)],
  ['key-in-browser', 'a preflight', sent({ ...PREFLIGHT, credential: 'none' })],
  ['not-exercised', 'a preflight that a server passes on with its key', sent(PREFLIGHT)],
  ['not-exercised', 'one that a proxy passes on', sent(PASSED_ON)],
  ['key-shown', 'the key in the query', sent({ keyIn: ['the address'] })],
  ['not-exercised', 'the key in another header, to the service', sent(IN_A_HEADER)],
  ['key-shown', 'the key in another header, elsewhere', sent({ place: 'elsewhere', ...IN_A_HEADER })],
  ['key-given-away', 'the key elsewhere', sent({ place: 'elsewhere', credential: "the service's" })],
  ['not-exercised', 'its own key elsewhere', sent({ place: 'elsewhere', credential: 'own' })],
]);

const LARGE = chat(0, { body: body('a: long text', { max_tokens: 100 }), outcome: 'token-limit' });

test.each([
  ['not-reduced', 'the same again', body('a: long text', { max_tokens: 100 })],
  ['not-reduced', 'no limit on the output', body('a: long text')],
  ['holds', 'less output', body('a: long text', { max_tokens: 50 })],
  ['inconclusive', 'few characters less, which may be a clock', body('a: long', { max_tokens: 100 })],
  ['inconclusive', 'a shorter text, and far more output', body('a: long', { max_tokens: 10_000 })],
  ['inconclusive', 'a shorter text, and no limit on the output', body('a: long')],
  ['inconclusive', 'a: longer text, and less output', body('a: long text, be brief', { max_tokens: 50 })],
  ['inconclusive', 'the same for another model', body('a: long text', { max_tokens: 100, model: 'm-2' })],
  ['not-exercised', 'another text', body('something else, and longer', { max_tokens: 100 })],
])('returns %s after a token limit error given %s', (expected, _what, text) => {
  const items = [{ id: 'w', text: 'a: long' }];
  expect(ruled(requestReduced, timeline([LARGE, chat(20, { body: text })], { items }))).toBe(expected);
});

test('takes a text that is plainly shorter for a reduced request', () => {
  const long = chat(0, { body: body(`a: ${'long '.repeat(20)}`), outcome: 'token-limit' });
  const seen = timeline([long, chat(20, { body: body('a: long') })], { items: [{ id: 'w', text: 'a: ' }] });
  expect(ruled(requestReduced, seen)).toBe('holds');
});

const QUESTION = 'Write one sentence about the moss.';
const REFUSED = chat(20, { body: body(QUESTION, { max_tokens: 90 }), outcome: 'token-limit' });

test.each([
  ['holds', 'its beginning', 'Write one sentence', 45],
  ['holds', 'its beginning with a mark', 'Write one sen…', 90],
  ['holds', 'its end', 'about the moss.', 90],
  ['holds', 'its text with a piece cut out', 'Write about the moss.', 90],
  ['not-exercised', 'other work with such a text', 'Write one sentence about moss.', 90],
  ['not-exercised', 'other work that begins so', 'Write one sentence on tin.', 45],
  ['not-exercised', 'its beginning and more output', 'Write one sentence', 500],
])(
  'returns %s after a token limit error given %s, from a caller with its own task',
  (expected, _what, ...next) => {
    const [text, limit] = next;
    const plain = timeline(
      [chat(0, { body: body(QUESTION) }), chat(9, { body: body('Write one sentence about moss.') })],
      {
        scenario: 'plain-use',
      },
    );
    const seen = timeline([REFUSED, chat(40, { body: body(text, { max_tokens: limit }) })]);
    expect(ruled(requestReduced, seen, [plain])).toBe(expected);
  },
);

const IMAGE = JSON.stringify({
  model: 'm-1',
  messages: [{ role: 'user', content: [{ type: 'image_url' }] }],
});
const vision = (flag: boolean, at = -10): ObservedRequest =>
  get(at, '/v1/vision-capabilities', { data: [{ id: 'm-1', vision: flag }] });
const WISHED = { items: [{ id: 'w', text: 'Wish: a', image: 'data:' }] };

testRulings(visionAskedFirst, [
  ['holds', 'asked, and told that it can', [vision(true), chat(0, { body: IMAGE })]],
  ['not-asked', 'unasked', [chat(0, { body: IMAGE }), vision(true, 20)]],
  ['not-asked', 'asked in vain', [{ ...vision(true), status: 503 }, chat(0, { body: IMAGE })]],
  ['not-heeded', 'told that it cannot', [vision(false), chat(0, { body: IMAGE })]],
  ['holds', 'told that it cannot, and sent none', [vision(false)], WISHED],
  ['not-exercised', 'told that it can, and sent none', [vision(true)], WISHED],
  ['not-exercised', 'did not ask, and sent none', [chat(0)], WISHED],
  ['not-exercised', 'no image was wished for', [chat(0)]],
]);
