import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { check, type Judgement } from '../kit/model/check.ts';
import type { Answer } from '../kit/model/exchange.ts';
import { HOLDS, notExercised, violated, inconclusive, type Ruling } from '../kit/model/ruling.ts';
import type { TargetInfo, Profile } from '../kit/model/target.ts';
import { answerOf, isQuotaStatus } from '../kit/reading/answers.ts';
import { readCompletion } from '../kit/reading/completions/read-completion.ts';
import { describeAnswer, dispositionOf } from '../kit/reading/errors/disposition.ts';
import { isJsonObject, jsonText, valueAt } from '../kit/reading/json.ts';
import { readListing } from '../kit/reading/models/read-models.ts';
import { findStreamText } from '../kit/reading/streams/find-stream-text.ts';
import { isEventStreamType, readStream } from '../kit/reading/streams/read-stream.ts';
import { clientModels, clientCompletion, clientStream } from './client-stimuli.ts';
import type { ClientTrial } from './tested-client.ts';

export const clientListsModels = check({
  id: 'client-lists-models',
  clauses: ['VER-2'],
  title: 'returns a model list that the tested client can read',
  decides: 'lists models',
  given: clientModels,
  holds: judgeClientResult((seen, answer, info) => {
    const reading = readListing(answer, info);
    if (reading.kind !== 'models') return notExercised('no list of models was recognised: see MOD-1');
    const listed = reading.list.entries.map(({ id }) => id);
    const ids = idsIn(seen);
    if (jsonText(ids) === jsonText(listed)) return HOLDS;
    return violated('other-models', `the IDs ${listed.join(', ')} in the client`, ids.join(', ') || 'no ID');
  }, listedElsewhere),
});

const PLACE = '/data/*/id';

/** The places of the list and of an ID are open (MOD-3); the client looks in one place only. */
function listedElsewhere(answer: Answer, info: TargetInfo): string | undefined {
  const reading = readListing(answer, info);
  if (reading.kind !== 'models') return undefined;
  const { pointer, idPointer, isGrouped } = reading.list;
  const place = `${pointer}/*${isGrouped ? '/*' : ''}${idPointer ?? ''}`;
  return place === PLACE ? undefined : `the client looks for IDs at ${PLACE}, and they are at ${place}`;
}

function idsIn(seen: JsonValue): unknown[] {
  return Array.isArray(seen)
    ? seen.map((model: JsonValue) => (isJsonObject(model) ? model['id'] : undefined))
    : [];
}

export const clientCompletes = check({
  id: 'client-completes',
  clauses: ['VER-2'],
  title: 'returns a completion whose text the tested client can read',
  decides: 'completes',
  given: clientCompletion,
  holds: judgeClientResult((seen, answer, info) => {
    const text = readCompletion(answer, info)?.choices?.[0]?.text;
    if (text === undefined) return notExercised('the response holds no text: see RES-2');
    const read = valueAt(seen, '/choices/0/message/content');
    return judgeText(read, text);
  }),
});

const REASON_OF_CLIENT = '/choices/0/finish_reason';

/** Its place is open (RES-6); the client looks in one place only. */
export const clientReadsFinishReason = check({
  id: 'client-reads-finish-reason',
  clauses: ['VER-2'],
  title: 'returns a completion whose finish reason the tested client can read',
  decides: 'reads the finish reason',
  given: clientCompletion,
  holds: judgeClientResult((seen, answer, info) => {
    const said = readCompletion(answer, info)?.choices?.[0]?.finishReason;
    if (typeof said !== 'object') return notExercised('no finish reason was recognised: see RES-3');
    if (said.pointer !== REASON_OF_CLIENT)
      return notExercised(
        `the client looks for the finish reason at ${REASON_OF_CLIENT}, and it is at ${said.pointer}`,
      );
    const read = jsonText(valueAt(seen, REASON_OF_CLIENT));
    const expected = jsonText(said.value);
    return read === expected
      ? HOLDS
      : violated('other-finish-reason', `the finish reason ${expected} in the client`, read);
  }),
});

export const clientStreams = check({
  id: 'client-streams',
  clauses: ['VER-2'],
  title: 'returns a stream whose whole text the tested client can read',
  decides: 'streams',
  given: clientStream,
  holds: judgeClientResult((seen, answer, info) => {
    if (!isEventStreamType(answer)) return notExercised('the answer is not an event stream: see STR-1');
    const text = readStream(answer, info).text?.text;
    if (text === undefined) return notExercised('no text was recognised in the stream: see STR-3');
    const read = textOf(seen, info.profile);
    return judgeText(read, text);
  }),
});

/** Rules on the text that the client read, by the text in the bytes. */
function judgeText(read: JsonValue | undefined, text: string): Ruling {
  return read === text
    ? HOLDS
    : violated('other-text', `the text ${JSON.stringify(text)} in the client`, jsonText(read));
}

/** The framing is open (STR-5): the text is found in the client's events in the same way as in the bytes. */
function textOf(seen: JsonValue, profile: Profile): string | undefined {
  const events = Array.isArray(seen) ? seen : [];
  return findStreamText(
    events.map((json: JsonValue) => ({ name: undefined, data: jsonText(json), json, at: 0 })),
    profile,
  )?.text;
}

/**
 * Judges what the client makes of a request that is accepted without the client. `unseen` says why the client cannot
 * be expected to read an answer whose shape is open.
 */
function judgeClientResult(
  judge: (seen: JsonValue, answer: Answer, info: TargetInfo) => Ruling,
  unseen: (answer: Answer, info: TargetInfo) => string | undefined = () => undefined,
): Judgement<ClientTrial> {
  return ({ exchanges: [exchange, again], counterpart, sight }, info) => {
    if (counterpart === undefined) return notExercised('no request was sent');
    const unserved = counterpartNotAccepted(counterpart, info);
    if (unserved) return unserved;
    if (exchange === undefined)
      return violated('nothing-sent', 'a request of the client', describeClientResult(sight));
    const received = describeAnswer(exchange, info);
    if (isQuotaStatus(answerOf(exchange).status))
      return inconclusive(`the request met a quota or a rate limit: ${received}`);
    if (dispositionOf(exchange, info) !== 'served') {
      if (again !== undefined && dispositionOf(again, info) !== 'served')
        return notExercised(`it was refused without the client too when it came again: see IDEM-3`);
      return violated('refused', 'the answer that the same request gets without the client', received);
    }
    const why = unseen(answerOf(exchange), info);
    if (why !== undefined) return notExercised(why);
    if (sight.kind === 'threw')
      return violated('threw', 'an answer that the client reads', describeClientResult(sight));
    return judge(sight.value, answerOf(exchange), info);
  };
}

/** What the client returned to its user. */
export function describeClientResult(sight: ClientTrial['sight']): string {
  return sight.kind === 'threw'
    ? `${sight.name}: ${sight.message.slice(0, 200)}`
    : `the value ${jsonText(sight.value).slice(0, 200)}`;
}
