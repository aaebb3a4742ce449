import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { refusedUnlikeCounterpart } from '../engine/inputs/judging/is-refused.ts';
import { check, type CheckDeclaration, type Judgement } from '../engine/model/check.ts';
import type { Answer } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isQuotaStatus } from '../engine/reading/answers.ts';
import { readCompletion } from '../engine/reading/completions/read-completion.ts';
import { describeAnswer, dispositionOf } from '../engine/reading/errors/disposition.ts';
import { readError, isCodeOrId } from '../engine/reading/errors/read-error.ts';
import { type Found, jsonText, valueAt } from '../engine/reading/json.ts';
import { readListing } from '../engine/reading/models/read-models.ts';
import {
  isEventStreamType,
  readStream,
  CHUNK_TEXT,
  WHOLE_TEXT,
} from '../engine/reading/streams/read-stream.ts';
import {
  clientCompletion,
  clientModels,
  clientRefusal,
  type ClientResult,
  clientStream,
  type ClientTrial,
  type ObservedApiError,
} from './tested-client.ts';

export const clientListsModels = clientReads({
  id: 'client-lists-models',
  title: 'returns a model list that the tested client can read',
  decides: 'lists models',
  given: clientModels,
  what: 'models',
  place: '/data/*/id',
  held: (answer, info) => {
    const reading = readListing(answer, info);
    if (reading.kind !== 'models') return 'no list of models was recognised: see MOD-1';
    const { pointer, idPointer = '', entries } = reading.list;
    return { pointer: `${pointer}/*${idPointer}`, value: entries.map(({ id = null }) => id) };
  },
  seen: (result) => returnedList(result)?.map((model) => valueAt(model, '/id') ?? null),
});

export const clientCompletes = clientReads({
  id: 'client-completes',
  title: 'returns a completion whose text the tested client can read',
  decides: 'completes',
  given: clientCompletion,
  what: 'text',
  place: WHOLE_TEXT,
  held: (answer, info) => {
    const value = readCompletion(answer, info)?.choices?.[0]?.text;
    if (value === undefined) return 'the response holds no text: see RES-2';
    return { pointer: WHOLE_TEXT, value };
  },
  seen: (result) => returnedAt(result, WHOLE_TEXT),
});

export const clientReadsFinishReason = clientReads({
  id: 'client-reads-finish-reason',
  title: 'returns a completion whose finish reason the tested client can read',
  decides: 'reads the finish reason',
  given: clientCompletion,
  what: 'finish-reason',
  place: '/choices/0/finish_reason',
  held: (answer, info) => {
    const said = readCompletion(answer, info)?.choices?.[0]?.finishReason;
    return typeof said === 'object' ? said : 'no finish reason was recognised: see RES-3';
  },
  seen: (result) => returnedAt(result, '/choices/0/finish_reason'),
});

export const clientStreams = clientReads({
  id: 'client-streams',
  title: 'returns a stream whose whole text the tested client can read',
  decides: 'streams',
  given: clientStream,
  what: 'text',
  place: CHUNK_TEXT,
  held: (answer, info) => {
    if (!isEventStreamType(answer)) return 'the answer is not an event stream: see STR-1';
    const { text } = readStream(answer, info);
    if (text === undefined) return 'no text was recognised in the stream: see STR-3';
    return { pointer: text.pointer, value: text.text };
  },
  seen: (result) => {
    const pieces = returnedList(result)?.map((chunk) => valueAt(chunk, CHUNK_TEXT));
    return pieces?.filter((piece) => typeof piece === 'string').join('');
  },
});

export const clientRaisesTypedError = check({
  id: 'client-raises-typed-error',
  clauses: ['VER-2'],
  title: 'refuses an invalid request so that the tested client raises its typed error',
  decides: 'raises typed errors',
  level: 'convention',
  because: 'the client recognises an error by its status, which the specification leaves open',
  given: clientRefusal,
  holds: judgeClientError(({ status }, answer) =>
    status === answer.status
      ? HOLDS
      : violated('other-status', `an APIError of status ${answer.status}`, `an APIError of status ${status}`),
  ),
});

const ERROR_CODE: ClientReads = {
  what: 'code',
  place: '/error/code',
  held: (answer, info) => {
    const error = readError(answer, info);
    if (error === undefined) return 'there is no error object: see ERR-1';
    const { code } = error;
    if (typeof code === 'string' || !isCodeOrId(code.value))
      return 'no code was recognised in the error object: see ERR-1';
    return { ...code, value: String(code.value) };
  },
  seen: (result) => (result.kind === 'threw' ? result.apiError?.code : undefined),
};

export const clientReadsErrorCode = check({
  id: 'client-reads-error-code',
  clauses: ['VER-2'],
  title: 'refuses an invalid request so that the error of the tested client holds the code',
  decides: 'reads error codes',
  level: 'convention',
  because:
    'the client takes the code from the place of the common convention, which the specification leaves open',
  given: clientRefusal,
  holds: judgeClientError((_, answer, info, { sight }) => judgeClientReads(ERROR_CODE, sight, answer, info)),
});

/** Something that a program written for release 7.23.0 of the tested client reads of an answer (VER-2). */
interface ClientReads {
  readonly what: string;
  /** The only place where the program looks: a JSON pointer with a star for any index. */
  readonly place: string;
  /** What an answer holds, and where; or why that cannot be told. */
  readonly held: (answer: Answer, info: TargetInfo) => Found | string;
  /** What the client returned from that place; undefined: nothing. */
  readonly seen: (result: ClientResult) => JsonValue | undefined;
}

/** Rules on what the client returned by what the answer holds. Where the place is open, an answer may hold it elsewhere. */
function judgeClientReads(
  { what, place, held, seen }: ClientReads,
  result: ClientResult,
  answer: Answer,
  info: TargetInfo,
): Ruling {
  const there = held(answer, info);
  if (typeof there === 'string') return notExercised(there);
  if (there.pointer !== place)
    return notExercised(`the client looks for the ${what} at ${place}, not at ${there.pointer}`);
  const read = seen(result);
  const [expected, actual] = [jsonText(there.value), jsonText(read)];
  if (actual === expected) return HOLDS;
  const code = read === undefined && result.kind === 'threw' ? 'threw' : `other-${what}`;
  const shown = read === undefined ? describeClientResult(result) : actual;
  return violated(code, `the ${what} ${expected} in the client`, shown, place);
}

function describeClientResult(result: ClientResult): string {
  return result.kind === 'threw'
    ? `${result.name}: ${result.message.slice(0, 200)}`
    : `the value ${jsonText(result.value).slice(0, 200)}`;
}

/** Declares a check of what the client reads of the answer to a request that is accepted without it. */
function clientReads(declared: ClientReads & Omit<CheckDeclaration<ClientTrial>, 'clauses' | 'holds'>) {
  const { what, place, held, seen, ...declaration } = declared;
  const reads = { what, place, held, seen };
  const holds: Judgement<ClientTrial> = ({ exchanges: [exchange, again], sight }, info) => {
    const answer = answerOf(exchange);
    const received = describeAnswer(exchange, info);
    if (isQuotaStatus(answer.status))
      return inconclusive(`the request met a quota or a rate limit: ${received}`);
    if (dispositionOf(exchange, info) === 'served') return judgeClientReads(reads, sight, answer, info);
    if (again !== undefined && dispositionOf(again, info) !== 'served')
      return notExercised('it was refused without the client too when it came again: see IDEM-3');
    return violated('refused', 'the answer that the same request gets without the client', received);
  };
  return check({ ...declaration, clauses: ['VER-2'], holds });
}

/** Judges the typed error of the client, given a refusal of what is accepted without the unknown member. */
function judgeClientError(
  judge: (seen: ObservedApiError, answer: Answer, info: TargetInfo, trial: ClientTrial) => Ruling,
): Judgement<ClientTrial> {
  return (trial, info) => {
    const [exchange] = trial.exchanges;
    const refusal = refusedUnlikeCounterpart(trial, info, 'a member is unknown');
    if (refusal.kind === 'violated')
      return notExercised(`the request was accepted, see REQ-6: ${describeAnswer(exchange, info)}`);
    if (refusal.kind !== 'holds') return refusal;
    const { sight } = trial;
    return sight.kind === 'threw' && sight.apiError !== undefined
      ? judge(sight.apiError, answerOf(exchange), info, trial)
      : violated('untyped', 'a typed error, thrown by the client', describeClientResult(sight));
  };
}

function returnedAt(result: ClientResult, pointer: string): JsonValue | undefined {
  return result.kind === 'value' ? valueAt(result.value, pointer) : undefined;
}

function returnedList(result: ClientResult): readonly JsonValue[] | undefined {
  return result.kind === 'value' && Array.isArray(result.value) ? result.value : undefined;
}
