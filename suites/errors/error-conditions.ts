import { HEADERS } from '../../fixtures/chats/chat.ts';
import { observationsOf, type Condition, observeRefusal } from '../engine/inputs/judging/observations.ts';
import {
  chatDraft,
  refusedChats,
  smallestChat,
  tooMuchOutput,
} from '../engine/inputs/provoking/chat-drafts.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Credential, Draft, Exchange } from '../engine/model/exchange.ts';
import { notExercised, observed } from '../engine/model/ruling.ts';
import { stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { type ItemReading, pointerOf } from '../engine/reading/locate.ts';

interface Question {
  readonly condition: Condition;
  readonly draft: Draft;
}

interface ConditionTrial extends Trial {
  readonly condition: Condition;
}

/** One refusal for each condition that a single request can cause. */
const errorConditions = stimulus<ConditionTrial, Question>({
  name: 'error-conditions',
  stage: 'free',
  cappedCount: 7,
  inputs: (info) => ({ examples: questions(info) }),
  cost: () => ({ refused: 1 }),
  send: async ({ condition, draft }, sender) => ({ condition, exchanges: [await sender.send(draft)] }),
});

const UNKNOWN_KEY: Credential = {
  kind: 'forged',
  label: 'an unknown key',
  header: () => `Bearer sk-${'0'.repeat(40)}`,
};

function questions(info: TargetInfo): readonly Question[] {
  const chat = smallestChat(info);
  const refused = refusedChats(info);
  return [
    { condition: 'unknown_field', draft: refused['an unknown field'] },
    { condition: 'invalid_value', draft: chatDraft({ ...chat, temperature: 'hot' }) },
    { condition: 'unknown_model', draft: refused['an unknown model'] },
    { condition: 'token_limit', draft: tooMuchOutput(chat) },
    { condition: 'malformed_body', draft: refused['malformed JSON'] },
    { condition: 'missing_key', draft: chatDraft(chat, { credential: { kind: 'none' } }) },
    { condition: 'unknown_key', draft: chatDraft(chat, { credential: UNKNOWN_KEY }) },
  ];
}

export const errorCodesObserved = check({
  id: 'error-codes',
  clauses: ['ERR-9'],
  title: 'chooses a status and a code for each error condition',
  given: errorConditions,
  holds: ({ condition, exchanges: [exchange] }, info) => observeRefusal(condition, exchange, info),
});

const observePlaces: Judgement<ConditionTrial> = ({ exchanges: [exchange] }, info) => {
  if (dispositionOf(exchange, info) !== 'refused') return notExercised('the request was not refused');
  const error = readError(answerOf(exchange), info);
  const found = {
    'error.code': pointerOf(error?.code),
    'error.message': pointerOf(error?.message),
    'error.request_id': pointerOf(error?.requestId),
    'error.request_id.source': sourceOf(error?.requestId, exchange),
  };
  const places = observationsOf(found, info.profile);
  if (error === undefined && places.length === 0) return notExercised('the refusal holds no error object');
  return places.length > 0
    ? observed(...places)
    : notExercised('no code, message or request ID was recognised');
};

/** The caller's key identifies a request too, but not two requests that share it. */
function sourceOf(item: ItemReading | undefined, { request }: Exchange): string | undefined {
  if (typeof item !== 'object') return undefined;
  return item.value === request.headers[HEADERS.idempotencyKey] ? 'idempotency_key' : 'own';
}

export const errorPlacesObserved = check({
  id: 'error-places',
  clauses: ['ERR-9'],
  title: 'chooses where an error holds its code, message and request ID',
  given: errorConditions,
  holds: observePlaces,
});
