import { coreChats } from '../../fixtures/chats/accepted-chats.ts';
import type { JsonObject } from '../../fixtures/chats/chat.ts';
import { interleave } from '../../fixtures/chats/combinations.ts';
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
import { byEnd } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, chatSettings } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Invariant } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated, shownBy } from '../engine/model/ruling.ts';
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
  if (base === undefined) return [];
  // Each chat needs a streamed counterpart: where every completion counts, all mistakes are made in the same chat.
  const others = info.thrifty ? [] : more;
  const families = [
    // First what hardly any service accepts: only a refusal shows anything.
    wrongModel,
    unknownFields,
    unlistedModels(info.models.map(({ id }) => id)),
    wrongMessages,
    wrongRole,
    wrongTemperature,
    wrongMaxTokens,
    wrongContent,
  ].map(({ examples }) => examples(base, others).slice(0, 4));
  return interleave<Variation<JsonObject>>(...families);
}

const EXPECTED = 'the same error object as without `stream`';

export const refusalIsNoStream = check({
  id: 'refusal-is-no-stream',
  clauses: ['STR-4'],
  title: 'answers a refused request with the same error object whether or not stream is true',
  because: 'only a validated result is emitted as events, and a refused request has none',
  given: refusedStreams,
  // A stream that began before the request was validated, and broke off when the request proved invalid.
  tellsUncertain: ({ exchanges: [plain, streamed], counterpart }, info) => {
    const begun = streamed?.outcome.kind === 'uncertain' ? streamed.outcome.answer : undefined;
    if (begun === undefined || !isSuccess(begun) || !isEventStream(begun)) return undefined;
    if (plain.outcome.kind !== 'answered' || counterpart === undefined) return undefined;
    const broke = violated('streamed', EXPECTED, 'an event stream that broke off', 'content-type');
    return whereRefused(plain, info, () => shownBy(1, broke));
  },
  holds: ({ exchanges: [plain, streamed, streamedCounterpart] }, info) => {
    const unlike = streamedCounterpart && counterpartNotAccepted(streamedCounterpart, info);
    if (unlike !== undefined) return unlike;
    return whereRefused(plain, info, () =>
      streamed === undefined || streamedCounterpart === undefined
        ? notExercised('it was not sent as a stream')
        : shownBy(1, streamedRefusal(plain, streamed, info)),
    );
  },
});

function whereRefused(plain: Exchange, info: TargetInfo, refused: () => Ruling): Ruling {
  const other = 'the request is not refused without stream either';
  return byEnd(plain, info, { refused, unavailable: other, otherwise: other });
}

function inStream(received: string): Ruling {
  return violated('streamed', EXPECTED, `an event stream (${received})`, 'content-type');
}

function streamedRefusal(plain: Exchange, streamed: Exchange, info: TargetInfo): Ruling {
  const answer = answerOf(streamed);
  return byEnd(streamed, info, {
    served: () => violated('accepted', EXPECTED, describeSuccess(streamed)),
    ...(isEventStream(answer) && { failed: inStream, unavailable: inStream, unrecognised: inStream }),
    refused: (received) => {
      if (isEventStream(answer)) return inStream(received);
      if (readError(answerOf(plain), info) === undefined)
        return notExercised('the refusal without `stream` holds no error object to compare with: see ERR-1');
      if (readError(answer, info) === undefined) return violated('no-error-object', EXPECTED, received);
      // ERR-1 judges that there is a code; here a missing one equals a missing one.
      const [wanted, code] = [plain, streamed].map((each) =>
        jsonText(codeOfError(answerOf(each), info) ?? 'none'),
      );
      if (code === wanted) return HOLDS;
      return violated('another-code', `the code ${wanted}, as without \`stream\``, `${code}`);
    },
  });
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
