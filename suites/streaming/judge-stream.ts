import { notServed } from '../engine/inputs/judging/is-served.ts';
import type { Judgement } from '../engine/model/check.ts';
import type { Answer, Exchange } from '../engine/model/exchange.ts';
import { notExercised, type Ruling } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, sentChat } from '../engine/reading/answers.ts';
import { isEventStreamType, readStream, type StreamReading } from '../engine/reading/streams/read-stream.ts';

/** Judges the answer to an accepted chat with `stream` true, whether it is a stream or not. */
export function judgeStreamedAnswer(
  judge: (answer: Answer, exchange: Exchange, info: TargetInfo) => Ruling,
): Judgement {
  return ({ exchanges: [exchange] }, info) => {
    if (sentChat(exchange.request)?.['stream'] !== true)
      return notExercised('the request asks for no stream');
    return notServed(exchange, info) ?? judge(answerOf(exchange), exchange, info);
  };
}

/** Judges an event stream; STR-1 judges that the answer is one. */
export function judgeStream(judge: (reading: StreamReading, info: TargetInfo) => Ruling): Judgement {
  return judgeStreamedAnswer((answer, _, info) => {
    if (!isEventStreamType(answer)) return notExercised('the answer is not an event stream: see STR-1');
    return judge(readStream(answer, info), info);
  });
}

/** Judges an event stream with recognised text; STR-3 judges that it has text. */
export function judgeStreamWithText(judge: (reading: StreamReading) => Ruling): Judgement {
  return judgeStream((reading) => {
    if (reading.text === undefined)
      return notExercised(
        'no text was recognised in the stream: see STR-3',
        'pin "stream.text" in a profile',
      );
    return judge(reading);
  });
}
