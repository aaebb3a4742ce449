import type { ResponseHook } from '../exchange/defect-hooks.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { Defect } from './kit/defect.ts';
import { isObject, mapChoices, without } from './kit/json-members.ts';
import { requestedChat, rewriteField, rewriteRequest } from './kit/request-hooks.ts';
import {
  rewriteChoice,
  rewriteChunk,
  rewriteCompletion,
  rewriteEvents,
  rewriteReply,
} from './kit/response-hooks.ts';
import { RESPONSE_DEFECTS } from './response-defects.ts';

const CHEAPEST = 'compact-1';
const ONE = 'standard-1';
const SECOND_KEY = 'Bearer mock-Bn5x';

function onlyFor(isMeant: (request: ReceivedRequest) => boolean, rewrite: ResponseHook): ResponseHook {
  return (answer, request, service) => (isMeant(request) ? rewrite(answer, request, service) : answer);
}

const ofOne = (rewrite: ResponseHook): ResponseHook =>
  onlyFor((request) => requestedChat(request)?.['model'] === ONE, rewrite);

const ofOthers = (rewrite: ResponseHook): ResponseHook =>
  onlyFor((request) => requestedChat(request)?.['model'] !== CHEAPEST, rewrite);

const ofSecondKey = (rewrite: ResponseHook): ResponseHook =>
  onlyFor(({ authorization }) => authorization?.startsWith(SECOND_KEY) === true, rewrite);

const withoutUsage = rewriteCompletion((body) => without(body, 'usage'));

/** The service is right for the cheapest model and the first key, and wrong for others. */
export const OTHER_MODEL_DEFECTS = {
  'one-model-without-choices': {
    clauses: ['RES-1'],
    story: 'One of the backends returns an empty list of choices for a short text',
    onResponse: ofOne(rewriteCompletion((body) => ({ ...body, choices: [] }))),
  },
  'one-model-without-text': {
    clauses: ['RES-2'],
    story: 'One of the backends puts its text elsewhere, and content is null',
    onResponse: ofOne(rewriteReply((message) => ({ ...message, content: null }))),
  },
  'one-model-without-finish-reason': {
    clauses: ['RES-3'],
    story: 'One of the backends has another name for the finish reason, and nothing maps it',
    onResponse: ofOne(rewriteChoice((choice) => without(choice, 'finish_reason'))),
  },
  'one-model-without-usage': {
    clauses: ['RES-4'],
    story: 'One of the models is hosted elsewhere, and its tokens are counted by the month',
    onResponse: ofOne(withoutUsage),
  },
  'one-model-always-streamed': {
    clauses: ['REQ-7'],
    story: 'One of the backends can only stream, and its answers are passed on as they come',
    onRequest: rewriteRequest((chat) =>
      chat['model'] === ONE && chat['stream'] === undefined ? { ...chat, stream: true } : chat,
    ),
  },
  'other-models-ignore-max-tokens': {
    clauses: ['REQ-9'],
    story: 'max_tokens has another name for all backends but the first, and is not passed on',
    onResponse: ofOthers(RESPONSE_DEFECTS['max-tokens-ignored-unreported'].onResponse),
  },
  'other-models-ignore-stream': {
    clauses: ['STR-1'],
    story: 'Streaming was built for the first backend, and the others answer as they always did',
    onRequest: rewriteField('stream', (value, { model }) =>
      value === true && model !== CHEAPEST ? false : value,
    ),
  },
  'other-models-streams-broken': {
    clauses: ['STR-3'],
    story: 'The streams of other backends are cut into events at a fixed length',
    onResponse: ofOthers(
      rewriteEvents((events) => events.map((event, index) => (index === 1 ? event.slice(0, -4) : event))),
    ),
  },
  'other-models-streams-without-finish': {
    clauses: ['RES-3'],
    story: 'The streams of other backends are translated chunk by chunk, and only the text survives',
    onResponse: ofOthers(
      rewriteChunk((chunk) => mapChoices(chunk, (choice) => without(choice, 'finish_reason'))),
    ),
  },
  'other-models-streams-without-usage': {
    clauses: ['RES-4'],
    story: 'Other backends report usage in a stream only when an option asks for it',
    onResponse: ofOthers(rewriteChunk((chunk) => (isObject(chunk['usage']) ? undefined : chunk))),
  },
  'second-key-without-usage': {
    clauses: ['RES-4'],
    story: 'Usage is shown to the owner of the account, and other keys do not get it',
    onResponse: ofSecondKey(withoutUsage),
  },
} as const satisfies Readonly<Record<string, Defect>>;
