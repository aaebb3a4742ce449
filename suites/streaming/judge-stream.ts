import { answerOf, sentChat } from '../kit/reading/answers.ts';
import type { Judgement } from '../kit/model/check.ts';
import type { Answer, Exchange } from '../kit/model/exchange.ts';
import { isEventStreamType, readStream, type StreamReading } from '../kit/reading/streams/read-stream.ts';
import { notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { notServed } from '../kit/judging/is-served.ts';

/** Judges what came of a chat that asked for a stream and was served, whether it is a stream or not. */
export function ofStreamedChat(
  judge: (answer: Answer, exchange: Exchange, survey: Survey) => Ruling,
): Judgement {
  return ({ exchanges: [exchange] }, survey) => {
    if (exchange === undefined) return notExercised('no request was sent');
    if (sentChat(exchange.request)?.['stream'] !== true)
      return notExercised('the request asks for no stream');
    return notServed(exchange, survey) ?? judge(answerOf(exchange), exchange, survey);
  };
}

/** Judges an event stream; that one came at all is the business of STR-1. */
export function ofStream(judge: (reading: StreamReading, survey: Survey) => Ruling): Judgement {
  return ofStreamedChat((answer, _, survey) => {
    if (!isEventStreamType(answer)) return notExercised('the answer is not an event stream: see STR-1');
    return judge(readStream(answer, survey), survey);
  });
}

/** Judges an event stream in which text was recognised; that it can be is the business of STR-3. */
export function ofRecognisedStream(judge: (reading: StreamReading) => Ruling): Judgement {
  return ofStream((reading) => {
    if (reading.text === undefined)
      return notExercised(
        'no text was recognised in the stream: see STR-3',
        'pin "stream.text" in a profile',
      );
    return judge(reading);
  });
}
