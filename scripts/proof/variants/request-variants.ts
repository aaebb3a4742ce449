import { isJsonObject, type JsonObject } from '../second-service/choices.ts';
import { variant, type Variants } from './variant.ts';

export const REPEATS = {
  'keys-ignored': variant('ignores Idempotency-Keys', { repeatedKey: 'ignored' }),
  'keys-used-once': variant('refuses an Idempotency-Key that was used before', { repeatedKey: 'refused' }),
  'keys-required': variant('refuses a request without an Idempotency-Key, and replays repeated ones', {
    missingKey: 'refused',
  }),
  'keys-required-and-used-once': variant('refuses a request without an Idempotency-Key or with a used one', {
    missingKey: 'refused',
    repeatedKey: 'refused',
  }),
} satisfies Variants;

export const BOUNDS = {
  'temperature-to-one': variant('refuses a temperature of 0 and any above 1', { temperature: [0.01, 1] }),
  'any-temperature': variant('accepts any number as temperature', { temperature: [-Infinity, Infinity] }),
  'max-tokens-to-64': variant('refuses max_tokens above 64', {
    untestable: ['STR-2', 'LIM-1', 'LIM-2'],
    maxTokens: [1, 64],
  }),
  'max-tokens-to-8': variant('refuses max_tokens above 8', {
    untestable: ['STR-2', 'LIM-1', 'LIM-2'],
    maxTokens: [1, 8],
  }),
  'max-tokens-from-16': variant('refuses max_tokens below 16', {
    untestable: ['LIM-1'],
    maxTokens: [16, Number.MAX_SAFE_INTEGER],
  }),
  'max-tokens-from-0': variant('accepts max_tokens of 0 and below, and answers with an empty text', {
    maxTokens: [-Infinity, Infinity],
  }),
  'large-default-output': variant('allows 500 output tokens where max_tokens is absent', {
    defaultMaxTokens: 500,
  }),
} satisfies Variants;

const CONTROLS = /[^\P{Cc}\n\t\r]/u;

function orderly(messages: readonly JsonObject[]): string | undefined {
  const [first, ...others] = messages.map(({ role }) => role);
  const turns = first === 'system' ? others : [first, ...others];
  const inTurns = turns.every((role, index) => role === (index % 2 === 0 ? 'user' : 'assistant'));
  if (!inTurns || turns.length % 2 === 0) return 'user and assistant speak by turns, the user last';
  const texts = messages.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
  if (texts.some((text) => CONTROLS.test(text))) return 'text has no control characters';
  return texts.every((text) => text.isWellFormed()) ? undefined : 'text is well-formed Unicode';
}

function short(messages: readonly JsonObject[]): string | undefined {
  if (messages.length > 12) return 'there are 12 messages at most';
  const long = messages.some(({ content }) => typeof content === 'string' && content.length > 600);
  return long ? 'a message has 600 characters at most' : undefined;
}

export const MESSAGE_RULES = {
  'strict-about-messages': variant(
    'requires the system message first, alternating roles, and text without control characters',
    { messageProblem: orderly },
  ),
  'lenient-about-messages': variant(
    'accepts empty lists and contents, and ignores extra fields of a message',
    { extraMessageFields: 'ignored', emptyList: 'served', emptyContent: 'served' },
  ),
  'short-messages': variant('refuses more than 12 messages, and messages of more than 600 characters', {
    clause: 'LIM-5',
    messageProblem: short,
  }),
} satisfies Variants;

const hasSource = ({ type, source }: JsonObject): boolean =>
  type === 'image' && isJsonObject(source) && typeof source['data'] === 'string';

export const IMAGE_PART_SHAPES = {
  'images-in-a-source': variant('takes images as the data of a source', { isImagePart: hasSource }),
  'images-as-input-image': variant('takes images as parts of the type input_image', {
    isImagePart: ({ type }) => type === 'input_image',
  }),
  'images-in-any-shape': variant('takes images in any shape, and lists of text parts without an image', {
    isImagePart: ({ type }) => typeof type === 'string' && type.includes('image'),
    textParts: 'served',
  }),
  'images-in-no-known-shape': variant('takes images in an unusual shape only', {
    untestable: ['MSG-3', 'MSG-4'],
    isImagePart: ({ bild }) => typeof bild === 'string',
  }),
} satisfies Variants;

export const BODIES = {
  'json-content-type': variant('refuses a body that is not declared as application/json', {
    contentType: 'json',
  }),
  'small-bodies': variant('refuses a body of more than 20,000 bytes', { clause: 'LIM-5', bodyBytes: 20_000 }),
} satisfies Variants;

const JSON_IN_CAPITALS = 'Application/JSON; Charset=UTF-8';

export const HEADERS_SENT = {
  'headers-in-capitals': variant('writes header names and media types in capitals', {
    headers: () => ({ 'CONTENT-LANGUAGE': 'EN', SERVER: 'BIRDS' }),
    jsonType: JSON_IN_CAPITALS,
    streamType: 'Text/Event-Stream; Charset=UTF-8',
  }),
  'proxy-with-request-ids': variant('is behind a proxy that adds its own request ID as a header', {
    headers: (requestId) => ({ 'X-Request-ID': `edge-${requestId}`, Via: '1.1 edge' }),
  }),
  'request-id-in-a-header': variant('repeats the request ID in a header of every response', {
    headers: (requestId) => ({ 'X-Request-ID': String(requestId) }),
  }),
  'limits-and-deprecation': variant('announces limits, deprecation and sunset in headers, and sets cookies', {
    clause: 'VER-3',
    headers: () => ({
      'X-RateLimit-Limit': '100',
      Deprecation: '@1790000000',
      Sunset: 'Fri, 20 Nov 2099 12:00:00 GMT',
      Vary: 'Origin',
      'Set-Cookie': ['a=1; Path=/', 'b=2; Path=/'],
    }),
  }),
  'no-kept-connections': variant('closes the connection after every response', {
    headers: () => ({ Connection: 'close' }),
  }),
} satisfies Variants;

export const COMPRESSIONS = {
  'gzip-if-asked': variant('compresses with gzip if the request accepts it', {
    compresses: (accepted = '') => (accepted.includes('gzip') ? 'gzip' : undefined),
  }),
  'brotli-if-asked': variant('compresses with Brotli if the request accepts it', {
    compresses: (accepted = '') => (/\bbr\b/.test(accepted) ? 'br' : undefined),
  }),
  // What a request that says nothing accepts is everything (RFC 9110, section 12.5.3).
  'gzip-unless-refused': variant('compresses with gzip if the request has no Accept-Encoding', {
    compresses: (accepted = '*') => (/gzip|\*/.test(accepted) ? 'gzip' : undefined),
  }),
} satisfies Variants;
