import { isJsonObject, type JsonObject } from '../second-service/convention.ts';
import { type Variants, variantsOf } from './variant.ts';

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

/** Takes what a message lacks for the usual and drops what it has too many, but what has neither role nor content is no message. */
function lenient(message: JsonObject): JsonObject {
  const { role = 'user', content = '' } = message;
  if (message['role'] === undefined && message['content'] === undefined) return message;
  return { role, content: Array.isArray(content) && content.length === 0 ? '' : content };
}

function short(messages: readonly JsonObject[]): string | undefined {
  if (messages.length === 0) return 'messages is empty';
  if (messages.length > 12) return 'there are 12 messages at most';
  const long = messages.some(({ content }) => typeof content === 'string' && content.length > 600);
  return long ? 'a message has 600 characters at most' : undefined;
}

const hasSource = ({ type, source }: JsonObject): boolean =>
  type === 'image' && isJsonObject(source) && typeof source['data'] === 'string';

const isImageType = (type: unknown): boolean => typeof type === 'string' && type.includes('image');

export const REQUEST_VARIANTS: Variants = {
  // Bounds
  'any-temperature': { temperature: [-Infinity, Infinity] },
  'max-tokens-to-64': { untestable: ['STR-2', 'LIM-1', 'LIM-2'], maxTokens: [1, 64] },
  'max-tokens-to-8': { untestable: ['STR-2', 'LIM-1', 'LIM-2'], maxTokens: [1, 8] },
  'max-tokens-from-16': { maxTokens: [16, Number.MAX_SAFE_INTEGER] },
  'null-is-absent': { nullMeans: 'absent' },
  'max-tokens-from-0': { maxTokens: [-Infinity, Infinity] },

  // Messages
  'strict-about-messages': { messageProblem: orderly },
  'lenient-about-messages': { messageOf: lenient, messageProblem: () => undefined, emptyContent: 'served' },
  'short-messages': { messageProblem: short },

  // Image parts
  'images-in-a-source': { isImagePart: hasSource },
  'images-as-input-image': { isImagePart: ({ type }) => type === 'input_image' },
  'images-in-any-shape': { isImagePart: ({ type = '' }) => isImageType(type), textParts: 'served' },
  'images-in-no-known-shape': {
    untestable: ['MSG-3', 'MSG-4'],
    isImagePart: ({ bild }) => typeof bild === 'string',
  },

  // Bodies
  'json-content-type': { contentType: 'json' },
  'small-bodies': { bodyBytes: 20_000 },

  // Headers
  'headers-in-capitals': {
    headers: () => ({ 'CONTENT-LANGUAGE': 'EN', SERVER: 'BIRDS' }),
    jsonType: 'Application/JSON; Charset=UTF-8',
    streamType: 'Text/Event-Stream; Charset=UTF-8',
  },
  ...variantsOf('headers', {
    'proxy-with-request-ids': (requestId) => ({ 'X-Request-ID': `edge-${requestId}`, Via: '1.1 edge' }),
    'request-id-in-a-header': (requestId) => ({ 'X-Request-ID': String(requestId) }),
    'limits-and-deprecation': () => ({
      'X-RateLimit-Limit': '100',
      Deprecation: '@1790000000',
      Sunset: 'Fri, 20 Nov 2099 12:00:00 GMT',
      Vary: 'Origin',
      'Set-Cookie': ['a=1; Path=/', 'b=2; Path=/'],
    }),
    'no-kept-connections': () => ({ Connection: 'close' }),
  }),

  // Compression
  // What a request that says nothing accepts is everything (RFC 9110, section 12.5.3).
  'gzip-unless-refused': { compresses: (accepted = '*') => /gzip|\*/.test(accepted) },
};
