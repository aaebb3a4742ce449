import { notServed } from '../kit/judging/is-served.ts';
import { servedChatInvariant } from '../kit/judging/served-chat-invariant.ts';
import { check, type Judgement } from '../kit/model/check.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, inconclusive, notExercised, violated } from '../kit/model/ruling.ts';
import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { answerOf, sentChat } from '../kit/reading/answers.ts';
import { isEventStream } from '../kit/reading/errors/disposition.ts';
import { readJson } from '../kit/reading/json.ts';

/** Judges the answer to a chat with `stream` false or omitted: one JSON body, not an event stream. */
const isOneResponse: Judgement = ({ exchanges: [exchange] }, info) => {
  if (exchange === undefined || sentChat(exchange.request)?.['stream'] === true) {
    return notExercised('the request asks for a stream');
  }
  const other = notServed(exchange, info);
  if (other !== undefined) return other;
  const answer = answerOf(exchange);
  if (isEventStream(answer)) return violated('streamed', 'one response', 'an event stream', 'content-type');
  const body = readJson(answer);
  return body.kind === 'json' ? HOLDS : inconclusive(`neither a response nor a stream: ${body.reason}`);
};

export const normalResponse = check({
  id: 'normal-response',
  clauses: ['REQ-7'],
  title: 'answers with one JSON response when stream is false or omitted',
  given: acceptedChats,
  holds: isOneResponse,
});

export const everyResponseIsNormal: Invariant = servedChatInvariant({
  id: 'every-response-is-normal',
  clauses: ['REQ-7'],
  title: 'never streams when stream is false or omitted, for any model and key',
  holds: normalResponse.holds,
});
