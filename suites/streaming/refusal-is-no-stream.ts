import { answerOf, isSuccess } from '../kit/reading/answers.ts';
import { check } from '../kit/model/check.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../kit/reading/errors/disposition.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { type ItemReading, readError } from '../kit/reading/errors/read-error.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { Trial } from '../kit/model/trial.ts';
import { refusedStreams } from './refused-streams-stimulus.ts';

const EXPECTED = 'the same error object as without `stream`';

export const refusalIsNoStream = check({
  id: 'refusal-is-no-stream',
  clauses: ['STR-4'],
  title: 'refuses a request with stream true as it refuses it without: by an error object, not by a stream',
  because: 'only a validated result is emitted as events, and a refused request has none',
  given: refusedStreams,
  tellsUncertain: begunAndBrokenOff,
  holds: ({ exchanges: [plain, streamed, twin], control }, survey) => {
    if (plain === undefined || streamed === undefined || twin === undefined || control === undefined)
      return notExercised('nothing was sent');
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
    violated('streamed', EXPECTED, 'an event stream that was broken off', 'content-type')
  );
}

function unrefused(plain: Exchange, survey: Survey): Ruling | undefined {
  if (answerOf(plain).status === 429) return inconclusive('the rate limit answered in place of the refusal');
  if (dispositionOf(plain, survey) === 'refused') return undefined;
  return notExercised(`it is not refused without stream either: ${describeAnswer(plain, survey)}`);
}

function judged(plain: Exchange, streamed: Exchange, survey: Survey): Ruling {
  const came = describeAnswer(streamed, survey);
  const answer = answerOf(streamed);
  const disposition = dispositionOf(streamed, survey);
  if (disposition === 'served') return violated('accepted', EXPECTED, `served: ${came}`);
  if (answer.status === 429) return inconclusive('the rate limit answered in place of the refusal');
  if (isEventStream(answer))
    return violated('streamed', EXPECTED, `an event stream: ${came}`, 'content-type');
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
