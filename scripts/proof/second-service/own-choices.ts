import {
  type Choices,
  type Generation,
  type Model,
  type CompletionMembers,
  type ServerSentEvent,
  isJsonObject,
  type Json,
  type JsonObject,
} from './choices.ts';
import { CONVENTIONAL_CHOICES } from './conventional-choices.ts';
import { REFUSALS, type RefusalKind } from './reply.ts';

const TERN: Model = { id: 'birds/tern-2.1', context: 1500, price: 2, vision: false };
const GULL: Model = { id: 'Möwe:zug', context: 6000, price: 5, vision: false };
const OWL: Model = { id: 'eule_nacht@vision', context: 3000, price: 3, vision: true };
const PLOVER: Model = { id: 'Regenpfeifer.4', context: 2500, price: 4, vision: false };

const STATUSES: Readonly<Record<RefusalKind, number>> = {
  malformed: 422,
  wrong_value: 422,
  unknown_field: 422,
  wrong_image: 422,
  token_limit: 413,
  key_missing: 428,
  no_credential: 403,
  wrong_credential: 403,
  no_credits: 409,
  no_scope: 401,
  no_such_path: 410,
  no_such_model: 400,
  wrong_method: 404,
  key_busy: 423,
  key_used: 422,
  too_many_bytes: 400,
  wrong_type: 406,
  rate_limit: 420,
  unavailable: 529,
};

const KINDS = Object.keys(REFUSALS);
const FIRST_REQUEST = 70_000_000_000;

/** JSON in ASCII, with a space after every comma and colon. */
function spaced(value: Json): string {
  return JSON.stringify(value, undefined, 1)
    .replaceAll(/\n */g, ' ')
    .replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function outOfTurn(messages: readonly JsonObject[]): string | undefined {
  const roles = messages.map(({ role }) => role);
  if (roles.lastIndexOf('system') > 0) return 'only the first message may be of the system';
  const first = roles.find((role) => role !== 'system');
  return [first, roles.at(-1)].includes('assistant') ? 'the user speaks first and last' : undefined;
}

function fewEvents(
  { text }: Generation,
  { root, choice, message }: Required<CompletionMembers>,
): readonly ServerSentEvent[] {
  const parts = text.match(/[^]{1,25}/gu) ?? [];
  return [
    ...parts.map((content) => ({ name: 'part', data: { choices: [{ delta: { content } }] } })),
    { name: 'end', data: { choices: [{ delta: { ...message }, ...choice }], ...root } },
  ];
}

/**
 * Departs from the common convention in every open point, except where the tested client would find no models and no
 * text (VER-2).
 */
export const OWN_CHOICES: Choices = {
  ...CONVENTIONAL_CHOICES,
  models: [OWL, TERN, GULL],
  secondModels: [PLOVER, TERN],
  latencyMs: ({ id }) => (id === GULL.id ? 250 : 0),
  concurrency: 17,
  retryAfter: () => new Date(Date.now() + 1500).toUTCString(),
  bodyBytes: 300_000,
  credits: 77_000_000_001,
  countTokens: (text) => Math.ceil(Array.from(text).length / 3),

  temperature: [-1, 1],
  maxTokens: [0, 50_000],
  defaultMaxTokens: 33,
  extraMessageFields: 'ignored',
  emptyList: 'served',
  messageProblem: outOfTurn,
  isImagePart: ({ type, source, image_url: url }) =>
    (type === 'image' && isJsonObject(source)) || (typeof url === 'string' && url.startsWith('data:')),
  textParts: 'served',
  missingKey: 'refused',
  repeatedKey: 'ignored',

  status: (kind) => STATUSES[kind],
  code: (kind) => `BIRD-${100 + KINDS.indexOf(kind)}`,
  requestId: (count) => FIRST_REQUEST + count,
  errorBody: ({ code, message, requestId }) => ({
    detail: { msg: message, error_code: code, request: { id: requestId } },
  }),
  elsewhere: (kind) => ({ status: STATUSES[kind], type: 'text/plain', body: 'Not here.\n' }),

  modelFacts: ({ context, price }) => ({
    title: 'A bird',
    limits: { max_context_tokens: context },
    cost: { input: `0.00${price}`, output: `0.00${price}`, currency: 'credits' },
  }),
  modelList: (models) => ({
    has_more: false,
    data: models.map(({ id, facts }) => ({ kind: 'chat', ...facts, id })),
  }),
  vision: (models) => ({
    image_input: {
      formats: ['image/png'],
      enabled_for: models.filter(({ vision }) => vision).map(({ id }) => id),
    },
  }),
  finishReasons: { stop: 'COMPLETE', length: 'MAX_OUTPUT' },
  finish: (reason) => ({ root: { stop_reason: reason } }),
  usage: ({ input, output }) => ({
    root: { meta: { tokens: { input_tokens: input, output_tokens: output } } },
  }),
  completion: ({ text }, { root, choice, message }) => ({
    ...root,
    choices: [{ ...choice, message: { ...message, content: text } }],
  }),
  events: fewEvents,
  lastEvent: undefined,
  frameEvent: ({ name, data }, index) => `id:${index}\r\nevent:${name ?? ''}\r\ndata:${data}\r\n\r\n`,
  streamEdges: [':open\r\nretry:2500\r\n\r\n', ''],

  stringify: spaced,
  jsonType: 'Application/JSON; Charset=UTF-8',
  errorType: 'application/vnd.birds.refusal+json',
  streamType: 'text/event-stream;charset=UTF-8',
  headers: () => ({ 'X-SERVED-BY': 'north-7', 'X-RateLimit-Limit': '17', 'API-Version': '2026-11-20' }),
  delivery: 'in-small-pieces',
  compresses: (accepted = '') => (accepted.includes('gzip') ? 'gzip' : undefined),
};
