import type { Judgement } from '../../model/check.ts';
import type { Answer } from '../../model/exchange.ts';
import { notExercised, type Ruling } from '../../model/ruling.ts';
import type { TargetInfo } from '../../model/target.ts';
import { answerOf, asksForStream } from '../../reading/answers.ts';
import {
  type ChoiceReading,
  type CompletionReading,
  readCompletion,
} from '../../reading/completions/read-completion.ts';
import { isEventStreamType, readStream, type StreamReading } from '../../reading/streams/read-stream.ts';
import { notServed } from './is-served.ts';

/** Judges the answer to an accepted chat that asks for this form, whatever the form of the answer. */
export function judgeAskedFor(
  form: 'whole' | 'streamed',
  judge: (answer: Answer, info: TargetInfo) => Ruling,
): Judgement {
  return ({ exchanges: [exchange] }, info) => {
    const asked = asksForStream(exchange.request) ? 'streamed' : 'whole';
    if (asked !== form) return notExercised(`the request asks for a ${asked} answer`);
    return notServed(exchange, info) ?? judge(answerOf(exchange), info);
  };
}

/** Judges a response; the reading is undefined when the body is not a JSON object. REQ-7 judges that it is no stream. */
export function judgeResponse(
  judge: (reading: CompletionReading | undefined, answer: Answer, info: TargetInfo) => Ruling,
): Judgement {
  return judgeAskedFor('whole', (answer, info) =>
    isEventStreamType(answer)
      ? notExercised('the answer is an event stream, not a response: see REQ-7')
      : judge(readCompletion(answer, info), answer, info),
  );
}

/** Judges a response that has choices; RES-1 judges that it has some. */
export function judgeChoices(
  judge: (choices: readonly ChoiceReading[], reading: CompletionReading, info: TargetInfo) => Ruling,
): Judgement {
  return judgeResponse((reading, _, info) =>
    reading?.choices?.[0] === undefined
      ? notExercised('the response has no choices: see RES-1')
      : judge(reading.choices, reading, info),
  );
}

/** Judges an event stream; STR-1 judges that the answer is one. */
export function judgeStream(judge: (reading: StreamReading, info: TargetInfo) => Ruling): Judgement {
  return judgeAskedFor('streamed', (answer, info) =>
    isEventStreamType(answer)
      ? judge(readStream(answer, info), info)
      : notExercised('the answer is not an event stream: see STR-1'),
  );
}

export const PIN_TEXT =
  'pin "stream.text" in a profile to where an event holds text ("" when its whole data is text)';

/** Judges an event stream with recognised text; STR-3 judges that it has text. */
export function judgeStreamWithText(judge: (reading: StreamReading) => Ruling): Judgement {
  return judgeStream((reading) =>
    reading.text === undefined
      ? notExercised('no text was recognised in the stream: see STR-3', PIN_TEXT)
      : judge(reading),
  );
}
