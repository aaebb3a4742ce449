import type { JsonObject, JsonValue } from '../../fixtures/chats/chat.ts';
import { falsyTexts } from '../../fixtures/chats/open-chats.ts';
import {
  isServed,
  isBeyondAscii,
  isBrokenOffTwice,
  isHungUpTwice,
  ofChat,
} from '../engine/inputs/judging/is-served.ts';
import { judgeAskedFor } from '../engine/inputs/judging/judged-answers.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import {
  observesOpenChats,
  ofEachAlone,
  openChatsStimulus,
} from '../engine/inputs/provoking/open-chats-stimulus.ts';
import { type Check, check, type Judged } from '../engine/model/check.ts';
import { notExercised, type Ruling, violated, HOLDS, inconclusive } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isSuccess } from '../engine/reading/answers.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../engine/reading/errors/disposition.ts';
import { isJsonObject, jsonText, readJson } from '../engine/reading/json.ts';

export const chatServed = check({
  id: 'chat-served',
  clauses: ['SVC-1'],
  title: 'answers text messages and a listed model ID with a completion',
  decides: {
    'serves text in ASCII': ofChat((chat) => !isBeyondAscii(chat)),
    'serves text in other scripts': ofChat((chat) => isBeyondAscii(chat) && chat['stream'] !== true),
    'streams for text in other scripts': ofChat((chat) => isBeyondAscii(chat) && chat['stream'] === true),
  },
  given: acceptedChats,
  tellsUncertain: (trial) => isHungUpTwice(trial) ?? isBrokenOffTwice(trial, false),
  holds: (trial, info) => {
    const ruling = servedIf(() => true).holds(trial, info);
    return ruling.kind === 'inconclusive' ? (withoutCompletion(trial, info) ?? ruling) : ruling;
  },
});

export const rolesServed = check({
  id: 'roles-served',
  clauses: ['SVC-4'],
  title: 'accepts system, user and assistant messages in one request',
  decides: {
    'serves system messages': ofChat((chat) => rolesIn(chat).has('system')),
    'serves assistant messages': ofChat((chat) => rolesIn(chat).has('assistant')),
  },
  given: acceptedChats,
  ...servedIf((chat) => rolesIn(chat).size > 1),
});

export const optionsServed = check({
  id: 'options-served',
  clauses: ['SVC-4'],
  title: 'accepts requests with and without temperature, max_tokens and stream',
  decides: {
    'serves a temperature': ofChat((chat) => 'temperature' in chat),
    'serves no max_tokens': ofChat((chat) => !('max_tokens' in chat)),
    'serves a stream': ofChat(({ stream }) => stream === true),
  },
  given: acceptedChats,
  ...servedIf((chat) => chat['max_tokens'] === undefined || 'temperature' in chat || 'stream' in chat),
});

export const falsyTextServed = check({
  id: 'falsy-text-served',
  clauses: ['SVC-1'],
  title: 'serves the texts "0", "false", "null" and " "',
  given: openChatsStimulus({
    name: 'falsy-texts',
    inputs: (info) => ({ examples: [falsyTexts(smallestChat(info))] }),
  }),
  holds: ofEachAlone(({ exchanges: [exchange] }, info) => isServed(exchange, info)),
});

/** A valid chat was answered with success, and with nothing. RES-1 judges a completion of another shape. */
function withoutCompletion({ exchanges: [exchange] }: Judged, info: TargetInfo): Ruling | undefined {
  if (dispositionOf(exchange, info) !== 'unrecognised') return undefined;
  const answer = answerOf(exchange);
  if (!isSuccess(answer)) return undefined;
  const body = readJson(answer);
  const isNothing = body.kind === 'no-json' ? answer.body.length === 0 : isEmpty(body.value);
  if (!isNothing) return undefined;
  const said = body.kind === 'no-json' ? body.reason : `the body ${jsonText(body.value)}`;
  return violated('no-completion', 'a completion', `${said} (${describeAnswer(exchange, info)})`);
}

/** An object or a list without members, or a value that holds no text. */
function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' ? Object.keys(value ?? {}).length === 0 : typeof value === 'boolean';
}

/** Judges that the chats that exercise a clause are accepted. */
function servedIf(bears: (chat: JsonObject) => boolean): Pick<Check, 'holds' | 'tellsUncertain'> {
  const bearsOn = ofChat(bears);
  const isInAscii = ofChat((chat) => !isBeyondAscii(chat));
  return {
    holds: (trial, info) =>
      bearsOn(trial)
        ? isServed(trial.exchanges[0], info)
        : notExercised('the request does not exercise this clause'),
    // What breaks on the text is no matter of roles or options.
    tellsUncertain: (trial) => (bearsOn(trial) && isInAscii(trial) ? isHungUpTwice(trial) : undefined),
  };
}

function rolesIn({ messages }: JsonObject): Set<unknown> {
  const list = Array.isArray(messages) ? messages : [];
  return new Set(list.map((message: unknown) => (isJsonObject(message) ? message['role'] : undefined)));
}

export const normalResponse = check({
  id: 'normal-response',
  everywhere: 'every-response-is-normal',
  clauses: ['REQ-7'],
  title: 'answers with one JSON response when stream is false or omitted',
  decides: {
    'without stream': ofChat(({ stream }) => stream === undefined),
    'with stream false': ofChat(({ stream }) => stream === false),
  },
  given: acceptedChats,
  holds: judgeAskedFor('whole', (answer) => {
    const expected = 'a response, because `stream` is not true';
    if (isEventStream(answer)) return violated('streamed', expected, 'an event stream', 'content-type');
    const body = readJson(answer);
    return body.kind === 'json' ? HOLDS : inconclusive(`neither a response nor a stream: ${body.reason}`);
  }),
});

export const numericBounds = observesOpenChats('REQ-8', {
  id: 'numeric-bounds',
  title: 'serves or refuses boundary values of temperature and max_tokens',
});
