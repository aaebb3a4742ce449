import { coreChats } from '../../fixtures/chats/accepted-chats.ts';
import type { ChatBody, JsonObject } from '../../fixtures/chats/chat.ts';
import type { Variation } from '../../fixtures/chats/variation.ts';
import { unknownFields } from '../../fixtures/invalid/unknown-fields.ts';
import { unlistedModels } from '../../fixtures/invalid/unlisted-models.ts';
import {
  wrongMaxTokens,
  wrongMessages,
  wrongModel,
  wrongTemperature,
  wrongContent,
  wrongRole,
} from '../../fixtures/invalid/wrong-fields.ts';
import { counterpartNotAccepted } from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, chatSettings } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judged, type Invariant } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated, shownBy } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isSuccess, endpointOf, asksForStream } from '../engine/reading/answers.ts';
import {
  describeAnswer,
  describeSuccess,
  dispositionOf,
  isEventStream,
  wasServed,
} from '../engine/reading/errors/disposition.ts';
import { codeOfError, readError } from '../engine/reading/errors/read-error.ts';
import { jsonText } from '../engine/reading/json.ts';

/**
 * A refused chat, first without `stream` and then with `stream` true, which is the only difference. `counterpart`
 * belongs to the first exchange; the third exchange is the counterpart of the second.
 */
export const refusedStreams = requestStimulus({
  name: 'refused-streams',
  stage: 'free',
  cappedCount: 6,
  // Mistakes in fields, in the model, in the messages and in their roles.
  fixedCount: 5,
  inputs: (info) => ({ examples: variations(info) }),
  requests: ({ counterpart, mutant }, info) => ({
    counterpart: chatDraft(counterpart),
    refused: [chatDraft(mutant)],
    next: {
      // What is served without a stream would be served with one too.
      when: (plain) => !wasServed(plain, info),
      refused: [chatDraft({ ...mutant, stream: true })],
      shared: [chatDraft({ ...counterpart, stream: true })],
    },
  }),
});

/** One mistake of each family, then more of each. */
function variations(info: TargetInfo): readonly Variation<JsonObject>[] {
  const [base, ...more] = coreChats(chatSettings(info)).filter(({ stream }) => stream === undefined);
  // Each chat needs a streamed counterpart: where every completion counts, all mistakes are made in the same chat.
  const others = info.thrifty ? [] : more;
  if (base === undefined) return [];
  const families = familiesOf(base, others, info);
  return [0, 1, 2, 3].flatMap((place) => families.flatMap((family) => family[place] ?? []));
}

function familiesOf(
  base: ChatBody,
  others: readonly ChatBody[],
  info: TargetInfo,
): readonly (readonly Variation[])[] {
  const listed = info.models.map(({ id }) => id);
  return [
    // First what hardly any service accepts: only a refusal shows anything.
    wrongModel.examples(base, others),
    unknownFields.examples(base, others),
    unlistedModels(listed).examples(base, others),
    wrongMessages.examples(base, others),
    wrongRole.examples(base, others),
    wrongTemperature.examples(base, others),
    wrongMaxTokens.examples(base, others),
    wrongContent.examples(base, others),
  ];
}

const EXPECTED = 'the same error object as without `stream`';

export const refusalIsNoStream = check({
  id: 'refusal-is-no-stream',
  clauses: ['STR-4'],
  title: 'answers a refused request with the same error object whether or not stream is true',
  because: 'only a validated result is emitted as events, and a refused request has none',
  given: refusedStreams,
  tellsUncertain: streamBrokeOff,
  holds: ({ exchanges: [plain, streamed, streamedCounterpart] }, info) => {
    const unlike =
      (streamedCounterpart && counterpartNotAccepted(streamedCounterpart, info)) ?? notRefused(plain, info);
    if (unlike !== undefined) return unlike;
    return streamed === undefined || streamedCounterpart === undefined
      ? notExercised('it was not sent as a stream')
      : shownBy(1, streamedRefusal(plain, streamed, info));
  },
});

/** A stream that began before the request was validated, and broke off when the request proved invalid. */
function streamBrokeOff(
  { exchanges: [plain, streamed], counterpart }: Judged,
  info: TargetInfo,
): Ruling | undefined {
  const begun = streamed?.outcome.kind === 'uncertain' ? streamed.outcome.answer : undefined;
  if (begun === undefined || !isSuccess(begun) || !isEventStream(begun)) return undefined;
  if (plain.outcome.kind !== 'answered' || counterpart === undefined) return undefined;
  return (
    notRefused(plain, info) ??
    shownBy(1, violated('streamed', EXPECTED, 'an event stream that broke off', 'content-type'))
  );
}

function notRefused(plain: Exchange, info: TargetInfo): Ruling | undefined {
  if (answerOf(plain).status === 429) return inconclusive('a rate limit error took the place of the refusal');
  if (dispositionOf(plain, info) === 'refused') return undefined;
  return notExercised(`the request is not refused without stream either: ${describeAnswer(plain, info)}`);
}

function streamedRefusal(plain: Exchange, streamed: Exchange, info: TargetInfo): Ruling {
  const received = describeAnswer(streamed, info);
  const answer = answerOf(streamed);
  const disposition = dispositionOf(streamed, info);
  if (disposition === 'served') return violated('accepted', EXPECTED, describeSuccess(streamed));
  if (answer.status === 429) return inconclusive('a rate limit error took the place of the refusal');
  if (isEventStream(answer))
    return violated('streamed', EXPECTED, `an event stream (${received})`, 'content-type');
  if (disposition !== 'refused') return inconclusive(`the service failed instead of refusing: ${received}`);
  if (readError(answerOf(plain), info) === undefined)
    return notExercised('the refusal without `stream` holds no error object to compare with: see ERR-1');
  if (readError(answer, info) === undefined) return violated('no-error-object', EXPECTED, received);
  // ERR-1 judges that there is a code; here a missing one equals a missing one.
  const [wanted, code] = [plain, streamed]
    .map((each) => codeOfError(answerOf(each), info) ?? 'none')
    .map(jsonText);
  if (code === wanted) return HOLDS;
  return violated('another-code', `the code ${wanted}, as without \`stream\``, `${code}`);
}

/** For any reason of refusal; whether a chat must be refused is judged by the clause that it breaks. */
export const noRefusalInStream: Invariant = {
  id: 'no-refusal-in-stream',
  clauses: ['STR-4'],
  title: 'never sends a refusal inside an event stream',
  because: 'only a validated result is emitted as events, and a refused request has none',
  judge: (info) => (exchange) => {
    if (endpointOf(exchange.request) !== 'chat' || dispositionOf(exchange, info) !== 'refused')
      return undefined;
    if (!asksForStream(exchange.request)) return undefined;
    if (!isEventStream(answerOf(exchange))) return HOLDS;
    const received = `an event stream (${describeAnswer(exchange, info)})`;
    return violated('streamed', 'an error object', received, 'content-type');
  },
};
