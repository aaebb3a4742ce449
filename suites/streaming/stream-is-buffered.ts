import { answerOf } from '../kit/reading/answers.ts';
import { check } from '../kit/model/check.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { isEventStreamType, readStream, type StreamReading } from '../kit/reading/streams/read-stream.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { notServed } from '../kit/judging/is-served.ts';
import { BUFFERED_SHARE, type Delivery, deliveryOf, QUICKEST_TELLING_MS, shareOf } from './delivery.ts';
import { longStreams } from './long-streams-stimulus.ts';

const TRICKLING_SHARE = 0.25;
/** A single delay on the way, or one of the reader's own. */
const HICCUP_MS = 30;

export const streamIsBuffered = check({
  id: 'stream-is-buffered',
  clauses: ['STR-2'],
  title: 'emits nothing of a stream before the model has completed',
  given: longStreams,
  holds: ({ exchanges }, survey) => {
    const streams = exchanges.flatMap((exchange) => streamWithText(exchange, survey) ?? []);
    if (streams.length === 0) {
      return notExercised('no served event stream with a text that was recognised: see STR-1 and STR-3');
    }
    const telling = streams
      .flatMap((stream) => deliveryOf(stream) ?? [])
      .filter(({ duration }) => duration >= QUICKEST_TELLING_MS);
    const [best] = telling.toSorted((one, other) => shareOf(one) - shareOf(other));
    return best === undefined ? inconclusive('every text came too fast to tell') : judged(best);
  },
});

function streamWithText(exchange: Exchange, survey: Survey): StreamReading | undefined {
  if (notServed(exchange, survey) !== undefined) return undefined;
  const answer = answerOf(exchange);
  if (!isEventStreamType(answer)) return undefined;
  const stream = readStream(answer, survey);
  return stream.text === undefined ? undefined : stream;
}

/** Of several streams the one that looks most buffered is judged: a slow network is no trickle. */
function judged(delivery: Delivery): Ruling {
  const share = shareOf(delivery);
  const told = `the result arrived during ${Math.round(delivery.spread)} of ${Math.round(delivery.duration)} ms`;
  if (share < BUFFERED_SHARE) return HOLDS;
  if (share < TRICKLING_SHARE || delivery.spread < HICCUP_MS) return inconclusive(told);
  return violated('trickles', 'the whole text at once, after the model has completed', told);
}
