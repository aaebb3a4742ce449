import { answerOf, isSuccess, endpointOf, sentChat } from '../kit/reading/answers.ts';
import { check } from '../kit/model/check.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../kit/reading/errors/disposition.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { type ItemReading, readError } from '../kit/reading/errors/read-error.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { Trial } from '../kit/model/trial.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import type { ChatBody, JsonObject } from '../../fixtures/chats/chat.ts';
import { smokeChats } from '../../fixtures/chats/accepted-chats.ts';
import { unknownFields } from '../../fixtures/invalid/unknown-fields.ts';
import { unlistedModels } from '../../fixtures/invalid/unlisted-models.ts';
import {
  wrongMaxTokens,
  wrongMessages,
  wrongModel,
  wrongTemperature,
} from '../../fixtures/invalid/wrong-fields.ts';
import { wrongContent, wrongRole } from '../../fixtures/invalid/wrong-message-fields.ts';
import type { Variation } from '../../fixtures/chats/variation.ts';
import type { Draft } from '../kit/model/draft.ts';
import { chatDraft, chatSettings } from '../kit/provoking/chat-drafts.ts';
import { stimulus } from '../kit/model/stimulus.ts';

/**
 * A refused chat, first without `stream` and then with `stream` true: the second exchange differs from the
 * first in that alone. The control is the accepted twin of the first, and the third exchange that of the second.
 */
export const refusedStreams = stimulus<Trial, Variation<JsonObject>>({
  name: 'refused-streams',
  stage: 'free',
  few: 7,
  // What is wrong with a field, with the model, with the messages and with their roles.
  steady: 5,
  inputs: (survey) => ({ first: variations(survey) }),
  // One of the mistakes is a max_tokens that bounds nothing.
  cost: ({ control }) => ({ refused: 2, open: 2, twins: [chatDraft(control), streamedTwin(control)] }),
  send: async ({ control, mutant }, sender) => ({
    control: await sender.control(chatDraft(control)),
    exchanges: [
      await sender.send(chatDraft(mutant)),
      await sender.send(chatDraft({ ...mutant, stream: true })),
      await sender.control(streamedTwin(control)),
    ],
  }),
});

function streamedTwin(control: JsonObject): Draft {
  return chatDraft({ ...control, stream: true });
}

/** One of each family of mistakes, then more of each. */
function variations(survey: Survey): readonly Variation<JsonObject>[] {
  const [base, ...more] = smokeChats(chatSettings(survey)).filter(({ stream }) => stream === undefined);
  // Each chat has a twin that streams: where every completion counts, all are wrong in the same one.
  const others = survey.thrifty ? [] : more;
  if (base === undefined) return [];
  const families = familiesOf(base, others, survey);
  return [0, 1, 2, 3].flatMap((place) => families.flatMap((family) => family[place] ?? []));
}

function familiesOf(
  base: ChatBody,
  others: readonly ChatBody[],
  survey: Survey,
): readonly (readonly Variation[])[] {
  const listed = survey.models.map(({ id }) => id);
  return [
    unknownFields.examples(base, others),
    unlistedModels(listed).examples(base, others),
    wrongModel.examples(base, others),
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
  tellsUncertain: begunAndBrokenOff,
  holds: ({ exchanges: [plain, streamed, twin], control }, survey) => {
    if (plain === undefined || streamed === undefined || twin === undefined || control === undefined)
      return notExercised('no request was sent');
    return (
      counterpartNotAccepted(control, survey) ??
      counterpartNotAccepted(twin, survey) ??
      unrefused(plain, survey) ??
      judged(plain, streamed, survey)
    );
  },
});

/** A stream that was begun before the request was validated, and broken off when it was not found good. */
function begunAndBrokenOff(
  { exchanges: [plain, streamed], control }: Trial,
  survey: Survey,
): Ruling | undefined {
  const begun = streamed?.outcome.kind === 'uncertain' ? streamed.outcome.answer : undefined;
  if (begun === undefined || !isSuccess(begun) || !isEventStream(begun)) return undefined;
  if (plain?.outcome.kind !== 'answered' || control?.outcome.kind !== 'answered') return undefined;
  return (
    counterpartNotAccepted(control, survey) ??
    unrefused(plain, survey) ??
    violated('streamed', EXPECTED, 'an event stream that broke off', 'content-type')
  );
}

function unrefused(plain: Exchange, survey: Survey): Ruling | undefined {
  if (answerOf(plain).status === 429) return inconclusive('a rate limit error came in place of the refusal');
  if (dispositionOf(plain, survey) === 'refused') return undefined;
  return notExercised(`the request is not refused without stream either: ${describeAnswer(plain, survey)}`);
}

function judged(plain: Exchange, streamed: Exchange, survey: Survey): Ruling {
  const came = describeAnswer(streamed, survey);
  const answer = answerOf(streamed);
  const disposition = dispositionOf(streamed, survey);
  if (disposition === 'served') return violated('accepted', EXPECTED, `success (${came})`);
  if (answer.status === 429) return inconclusive('a rate limit error came in place of the refusal');
  if (isEventStream(answer))
    return violated('streamed', EXPECTED, `an event stream (${came})`, 'content-type');
  if (disposition !== 'refused') return inconclusive(`the service failed instead of refusing: ${came}`);
  const error = readError(answer, survey);
  if (error === undefined) return violated('no-error-object', EXPECTED, came);
  return sameCode(plain, error.code, survey);
}

function sameCode(plain: Exchange, code: ItemReading, survey: Survey): Ruling {
  const expected = valueOf(readError(answerOf(plain), survey)?.code);
  const came = valueOf(code);
  if (expected === came) return HOLDS;
  return violated('another-code', `the code without \`stream\`: ${expected}`, `the code with it: ${came}`);
}

/** As text; what is absent or not recognised is the business of ERR-1, and equal to itself here. */
function valueOf(code: ItemReading | undefined): string {
  return typeof code === 'object' ? JSON.stringify(code.value) : 'none';
}

/** Whatever a chat was refused for. That it is refused at all is the business of the clause that it breaks. */
export const noRefusalInStream: Invariant = {
  id: 'no-refusal-in-stream',
  clauses: ['STR-4'],
  title: 'never sends a refusal inside an event stream',
  because: 'only a validated result is emitted as events, and a refused request has none',
  judge: (survey) => (exchange) => {
    if (endpointOf(exchange.request) !== 'chat' || dispositionOf(exchange, survey) !== 'refused')
      return undefined;
    if (sentChat(exchange.request)?.['stream'] !== true) return undefined;
    if (!isEventStream(answerOf(exchange))) return HOLDS;
    const came = `an event stream (${describeAnswer(exchange, survey)})`;
    return violated('streamed', 'an error object', came, 'content-type');
  },
};
