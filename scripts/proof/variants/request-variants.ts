import { isJsonObject, type JsonObject } from '../second-service/choices.ts';
import type { Variants } from './variant.ts';

export const REPEATS = {
  'keys-ignored': { what: 'ignores Idempotency-Keys', repeatedKey: 'ignored' },
  'keys-used-once': { what: 'refuses an Idempotency-Key that was used before', repeatedKey: 'refused' },
  'keys-required': {
    what: 'refuses a request without an Idempotency-Key, and replays repeated ones',
    missingKey: 'refused',
  },
  'keys-required-and-used-once': {
    what: 'refuses a request without an Idempotency-Key or with a used one',
    missingKey: 'refused',
    repeatedKey: 'refused',
  },
} satisfies Variants;

export const BOUNDS = {
  'temperature-to-one': { what: 'refuses a temperature of 0 and any above 1', temperature: [0.01, 1] },
  'any-temperature': { what: 'accepts any number as temperature', temperature: [-Infinity, Infinity] },
  'max-tokens-to-64': {
    what: 'refuses max_tokens above 64',
    untestable: ['STR-2', 'LIM-2'],
    maxTokens: [1, 64],
  },
  'max-tokens-to-8': {
    what: 'refuses max_tokens above 8',
    untestable: ['STR-2', 'LIM-2'],
    maxTokens: [1, 8],
  },
  'max-tokens-from-16': {
    what: 'refuses max_tokens below 16',
    untestable: ['LIM-1'],
    maxTokens: [16, Number.MAX_SAFE_INTEGER],
  },
  'max-tokens-from-0': {
    what: 'accepts max_tokens of 0 and below, and answers with an empty text',
    maxTokens: [-Infinity, Infinity],
  },
  'large-default-output': {
    what: 'allows 500 output tokens where max_tokens is absent',
    defaultMaxTokens: 500,
  },
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
  'strict-about-messages': {
    what: 'requires the system message first, alternating roles, and text without control characters',
    messageProblem: orderly,
  },
  'lenient-about-messages': {
    what: 'accepts empty lists and contents, and ignores extra fields of a message',
    extraMessageFields: 'ignored',
    emptyList: 'served',
    emptyContent: 'served',
  },
  'short-messages': {
    clause: 'LIM-5',
    what: 'refuses more than 12 messages, and messages of more than 600 characters',
    messageProblem: short,
  },
} satisfies Variants;

const hasSource = ({ type, source }: JsonObject): boolean =>
  type === 'image' && isJsonObject(source) && typeof source['data'] === 'string';

export const IMAGE_PART_SHAPES = {
  'images-in-a-source': { what: 'takes images as the data of a source', isImagePart: hasSource },
  'images-as-input-image': {
    what: 'takes images as parts of the type input_image',
    isImagePart: ({ type }) => type === 'input_image',
  },
  'images-in-any-shape': {
    what: 'takes images in any shape, and lists of text parts without an image',
    isImagePart: ({ type }) => typeof type === 'string' && type.includes('image'),
    textParts: 'served',
  },
  'images-in-no-known-shape': {
    what: 'takes images in an unusual shape only',
    untestable: ['MSG-3'],
    isImagePart: ({ bild }) => typeof bild === 'string',
  },
} satisfies Variants;

export const BODIES = {
  'json-content-type': {
    what: 'refuses a body that is not declared as application/json',
    contentType: 'json',
  },
  'small-bodies': { clause: 'LIM-5', what: 'refuses a body of more than 20,000 bytes', bodyBytes: 20_000 },
} satisfies Variants;

const JSON_IN_CAPITALS = 'Application/JSON; Charset=UTF-8';

export const HEADERS_SENT = {
  'headers-in-capitals': {
    what: 'writes header names and media types in capitals',
    headers: () => ({ 'CONTENT-LANGUAGE': 'EN', SERVER: 'BIRDS' }),
    jsonType: JSON_IN_CAPITALS,
    streamType: 'Text/Event-Stream; Charset=UTF-8',
  },
  'proxy-with-request-ids': {
    what: 'is behind a proxy that adds its own request ID as a header',
    headers: (requestId) => ({ 'X-Request-ID': `edge-${requestId}`, Via: '1.1 edge' }),
  },
  'request-id-in-a-header': {
    what: 'repeats the request ID in a header of every response',
    headers: (requestId) => ({ 'X-Request-ID': String(requestId) }),
  },
  'limits-and-deprecation': {
    clause: 'VER-3',
    what: 'announces limits, deprecation and sunset in headers, and sets cookies',
    headers: () => ({
      'X-RateLimit-Limit': '100',
      Deprecation: '@1790000000',
      Sunset: 'Fri, 20 Nov 2099 12:00:00 GMT',
      Vary: 'Origin',
      'Set-Cookie': ['a=1; Path=/', 'b=2; Path=/'],
    }),
  },
  'no-kept-connections': {
    what: 'closes the connection after every response',
    headers: () => ({ Connection: 'close' }),
  },
} satisfies Variants;

export const COMPRESSIONS = {
  'gzip-if-asked': {
    what: 'compresses with gzip if the request accepts it',
    compresses: (accepted = '') => (accepted.includes('gzip') ? 'gzip' : undefined),
  },
  'brotli-if-asked': {
    what: 'compresses with Brotli if the request accepts it',
    compresses: (accepted = '') => (/\bbr\b/.test(accepted) ? 'br' : undefined),
  },
  // What a request that says nothing accepts is everything (RFC 9110, section 12.5.3).
  'gzip-unless-refused': {
    what: 'compresses with gzip if the request has no Accept-Encoding',
    compresses: (accepted = '*') => (/gzip|\*/.test(accepted) ? 'gzip' : undefined),
  },
} satisfies Variants;
