import {
  deepBodies,
  malformedBodies,
  malformedBody,
  type MalformedBody,
} from '../../fixtures/bodies/malformed-bodies.ts';
import { ENDPOINTS, HEADERS } from '../../fixtures/chats/chat.ts';
import { oddChat, oddChats } from '../../fixtures/chats/open-chats.ts';
import { byEnd, isBeyondAscii, ofChat } from '../engine/inputs/judging/is-served.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import {
  chatDraft,
  smallestChat,
  chatSettings,
  refusedChats,
} from '../engine/inputs/provoking/chat-drafts.ts';
import { ofEachAlone, openChatsStimulus } from '../engine/inputs/provoking/open-chats-stimulus.ts';
import { type Requests, requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { withSpace } from '../engine/inputs/provoking/second-try.ts';
import { type Judgement, check } from '../engine/model/check.ts';
import { type Draft, type Exchange, isHungUp, isUnanswered } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, violated, type Ruling } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isSuccess } from '../engine/reading/answers.ts';
import { describeSuccess } from '../engine/reading/errors/disposition.ts';
import { jsonText, readJson } from '../engine/reading/json.ts';
import { latin1 } from '../engine/sending/sent-request.ts';
import { holdsErrorObject } from './error-object.ts';

/** Judges that a request is accepted, or refused with an error object (ERR-11), whose items ERR-1 judges. */
const isServedOrRefusedProperly: Judgement = ({ exchanges: [exchange] }, info) => {
  const refused = (): Ruling => holdsErrorObject(exchange, info);
  return byEnd(exchange, info, {
    served: HOLDS,
    refused,
    limited: refused,
    failed: (received) => violated('failed', 'success or an error object', received),
  });
};

/** A service may accept some of them. */
function requestsOf(body: MalformedBody, info: TargetInfo, when: (first: Exchange) => boolean): Requests {
  const draft = malformedDraft(body, info);
  return {
    counterpart: chatDraft(smallestChat(info)),
    [namesNoModel(body) ? 'refused' : 'served']: [draft],
    // One connection may break by chance. A body that is no chat costs nothing.
    ...(body.isObject !== true && { again: { when, draft: withSpace(draft) } }),
  };
}

/** Bodies that are broken, or that parsers may fail on. */
const malformed = requestStimulus<MalformedBody>({
  name: 'malformed-bodies',
  stage: 'paid',
  // A lenient service accepts few of the first ones, and perhaps those that the seed chooses: each costs a completion.
  cappedCount: 19,
  fixedCount: 17,
  inputs: (info) => ({
    examples: malformedBodies(smallestChat(info)),
    arbitrary: malformedBody(smallestChat(info)),
  }),
  requests: (body, info) => requestsOf(body, info, isHungUp),
});

/** Bodies that may occupy or end a service: nothing is in flight meanwhile, and nothing comes after them. */
const deeplyNested = requestStimulus<MalformedBody>({
  name: 'deep-bodies',
  stage: 'paid',
  alone: 'last',
  cappedCount: 2,
  inputs: (info) => ({ examples: deepBodies(smallestChat(info)) }),
  requests: (body, info) => requestsOf(body, info, isUnanswered),
});

/** Whether the body names no model in any encoding, so that no service can generate anything. */
function namesNoModel({ body }: MalformedBody): boolean {
  const text = typeof body === 'string' ? body : latin1(body).replaceAll('\u0000', '');
  return !text.includes('model');
}

function malformedDraft({ body, contentType = 'application/json' }: MalformedBody, info: TargetInfo): Draft {
  return {
    method: 'POST',
    path: ENDPOINTS.chat,
    headers: contentType === null ? {} : { [HEADERS.contentType]: contentType },
    body,
    // Some ask for more output than any model generates: a service that accepts them may charge for it.
    ...(!info.thrifty && { needsOutput: Infinity }),
  };
}

export const malformedBodiesSurvived = check({
  id: 'malformed-bodies-survived',
  clauses: ['ERR-11'],
  title: 'serves a malformed body, or refuses it with an error object',
  decides: 'survives malformed bodies',
  because: 'by the specification a request is either served or refused',
  given: malformed,
  holds: isServedOrRefusedProperly,
});

export const deepBodiesSurvived = check({
  id: 'deep-bodies-survived',
  clauses: ['ERR-11'],
  title: 'refuses a deeply nested body with an error object',
  because: 'by the specification a request is either served or refused',
  given: deeplyNested,
  holds: isServedOrRefusedProperly,
});

const KEYLESS = { credential: { kind: 'none' } } as const;

/** Methods and addresses near those of the endpoints. None of them costs anything where it is served. */
const nearRequests = requestStimulus<Draft>({
  name: 'near-requests',
  stage: 'paid',
  cappedCount: 5,
  fixedCount: 5,
  inputs: (info) => ({
    examples: [
      { method: 'HEAD', path: ENDPOINTS.models },
      chatDraft(smallestChat(info), { path: `${ENDPOINTS.chat}/`, ...KEYLESS }),
      { method: 'GET', path: `${ENDPOINTS.models}/`, ...KEYLESS },
      { method: 'GET', path: ENDPOINTS.chat },
      { ...refusedChats(info)['an unknown model'], method: 'PUT' },
    ],
  }),
  requests: (draft, info) => ({
    counterpart: chatDraft(smallestChat(info)),
    refused: [draft],
    again: { when: isHungUp, draft },
  }),
});

export const nearRequestsSurvived = check({
  id: 'near-requests-survived',
  clauses: ['ERR-11'],
  title: 'answers other methods, and addresses with a slash at their end, without a failure',
  because: 'by the specification a request is either served or refused',
  given: nearRequests,
  // Whether they are served, and how they are refused, is open: a router may answer them.
  holds: ({ exchanges: [exchange] }, info) =>
    byEnd(exchange, info, {
      failed: (received) => violated('failed', 'success or a refusal', received),
      otherwise: HOLDS,
    }),
});

/** A router may take a slash at the end of an address where what checks the key does not. */
export const keylessNearAddressRefused = check({
  id: 'missing-key-near-address-refused',
  clauses: ['AUTH-1'],
  title: 'serves nothing without a key at the address of an endpoint with a slash at its end',
  given: nearRequests,
  holds: ({ exchanges: [exchange] }, info) => {
    if (exchange.request.credential.kind !== 'none') return notExercised('it has a key');
    const answer = answerOf(exchange);
    const body = readJson(answer);
    // An error may name the model that was asked for.
    const text = isSuccess(answer) && body.kind === 'json' ? jsonText(body.value) : '';
    if (!text.includes('"choices":[') && !text.includes(jsonText(info.models[0].id))) return HOLDS;
    return violated('accepted', 'an error, because it carries no key', describeSuccess(exchange));
  },
});

/** Well-formed chats with odd texts and with roles in unusual orders; a service may refuse any of them. */
const oddChatsSent = openChatsStimulus({
  name: 'odd-chats',
  // A NUL, a system message alone with a lone surrogate, a long history, and one by the seed.
  cappedCount: 4,
  fixedCount: 3,
  inputs: (info) => ({
    examples: oddChats(smallestChat(info)),
    arbitrary: oddChat(chatSettings(info)),
  }),
});

export const oddChatsSurvived = check({
  id: 'odd-chats-survived',
  clauses: ['ERR-11'],
  title: 'serves unusual texts and message orders, or refuses them with an error object',
  decides: 'survives odd chats',
  because: 'by the specification a request is either served or refused',
  given: oddChatsSent,
  holds: ofEachAlone(isServedOrRefusedProperly),
});

export const everyScriptSurvived = check({
  id: 'every-script-survived',
  clauses: ['ERR-11'],
  title: 'serves texts beyond ASCII, or refuses them with an error object',
  decides: {
    'survives every script': ofChat((chat) => isBeyondAscii(chat) && chat['stream'] !== true),
    'survives every script in streams': ofChat((chat) => isBeyondAscii(chat) && chat['stream'] === true),
  },
  because: 'by the specification a request is either served or refused',
  given: acceptedChats,
  holds: (trial, info) =>
    ofChat(isBeyondAscii)(trial)
      ? isServedOrRefusedProperly(trial, info)
      : notExercised('the texts are in ASCII'),
});
