import { notServed } from '../engine/inputs/judging/is-served.ts';
import { everyServedChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Answer } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, violated, notExercised, type Ruling } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, sentChat } from '../engine/reading/answers.ts';
import { tokensIn } from '../engine/reading/completions/find-usage.ts';
import { isErrorBody } from '../engine/reading/errors/disposition.ts';
import { isEventStreamType, readStream, type StreamReading } from '../engine/reading/streams/read-stream.ts';
import { eventText } from '../engine/reading/streams/stream-text.ts';

export const streamIsEventStream = check({
  id: 'stream-is-event-stream',
  clauses: ['STR-1'],
  title: 'answers an accepted request with stream true with server-sent events',
  given: acceptedChats,
  holds: judgeStreamedAnswer((answer) => {
    if (isEventStreamType(answer)) return HOLDS;
    const actual = answer.headers['content-type'] ?? 'no content type';
    return violated('no-event-stream', 'the content type text/event-stream', actual, 'content-type');
  }),
});

const PIN_TEXT =
  'pin "stream.text" in a profile to where an event holds text ("" when its whole data is text)';

const EXPECTED = 'a well-formed event stream from which the whole text can be read';

export const streamIsWhole = check({
  id: 'stream-is-whole',
  clauses: ['STR-3'],
  title: 'sends a complete, well-formed event stream that holds the whole text',
  decides: 'is whole and well formed',
  given: acceptedChats,
  holds: judgeStream(
    (reading) => malformed(reading) ?? withoutText(reading) ?? split(reading) ?? emptyText(reading) ?? HOLDS,
  ),
});

function malformed({ isUtf8, events, cutOff }: StreamReading): Ruling | undefined {
  if (!isUtf8) return violated('not-utf8', EXPECTED, 'bytes that are not UTF-8');
  if (cutOff) return violated('cut-off', EXPECTED, 'a last event without an empty line after it');
  if (events.length === 0) return violated('no-events', EXPECTED, 'a body without an event');
  const broken = events.findIndex(({ data, json }) => json === undefined && data.trimStart().startsWith('{'));
  if (broken !== -1) {
    const actual = `broken JSON in event ${broken + 1} of ${events.length}: ${events[broken]?.data.slice(0, 60)}`;
    return violated('broken-json', EXPECTED, actual);
  }
  const failed = events.findIndex(({ json }) => json !== undefined && isErrorBody(json));
  if (failed === -1) return undefined;
  return violated(
    'broken-off',
    EXPECTED,
    `an error in event ${failed + 1} of ${events.length}: ${events[failed]?.data.slice(0, 60)}`,
  );
}

function withoutText({ text, events, terminator }: StreamReading): Ruling | undefined {
  if (text !== undefined) return undefined;
  if (events.length === 1 && terminator === '[DONE]')
    return violated('no-text', EXPECTED, 'only a terminator');
  return notExercised('no text was recognised in the events', PIN_TEXT);
}

/** Stands in the place of bytes that are no character. */
const REPLACED = '\u{fffd}';

/**
 * Where one event ends with a replaced character and the next one begins with another, a character was split between
 * them, and its halves were decoded alone. A replacement anywhere else may be what the model wrote.
 */
function split({ text }: StreamReading): Ruling | undefined {
  if (text === undefined || !text.text.includes(REPLACED)) return undefined;
  const pieces = text.textEvents.map((event) => eventText(event, text.pointer) ?? '');
  const at = pieces.findIndex(
    (piece, index) => piece.endsWith(REPLACED) && pieces[index + 1]?.startsWith(REPLACED) === true,
  );
  if (at === -1) return undefined;
  const actual = `a character split between ${JSON.stringify(pieces[at])} and ${JSON.stringify(pieces[at + 1])}`;
  return violated('split-character', EXPECTED, actual);
}

/** Whether there ever is a text is judged with more room for one: see `streamed-text-generated`. */
function emptyText({ text, usage }: StreamReading): Ruling | undefined {
  const tokens = tokensIn(usage, 'output')?.value ?? 0;
  if (text?.text !== '' || tokens === 0) return undefined;
  return inconclusive(
    `an empty text, and ${tokens} tokens are reported for it: --max-output-tokens may give room for one`,
  );
}

export const everyStreamIsEventStream = everyServedChat(streamIsEventStream, {
  id: 'every-stream-is-event-stream',
  title: 'answers every accepted request with stream true with server-sent events, for any model and key',
});

export const everyStreamIsWhole = everyServedChat(streamIsWhole, {
  id: 'every-stream-is-whole',
  title: 'sends every stream complete and well-formed, for any model and key',
});

/** Judges the answer to an accepted chat with `stream` true, whether it is a stream or not. */
function judgeStreamedAnswer(judge: (answer: Answer, info: TargetInfo) => Ruling): Judgement {
  return ({ exchanges: [exchange] }, info) => {
    if (sentChat(exchange.request)?.['stream'] !== true)
      return notExercised('the request asks for no stream');
    return notServed(exchange, info) ?? judge(answerOf(exchange), info);
  };
}

/** Judges an event stream; STR-1 judges that the answer is one. */
export function judgeStream(judge: (reading: StreamReading, info: TargetInfo) => Ruling): Judgement {
  return judgeStreamedAnswer((answer, info) => {
    if (!isEventStreamType(answer)) return notExercised('the answer is not an event stream: see STR-1');
    return judge(readStream(answer, info), info);
  });
}

/** Judges an event stream with recognised text; STR-3 judges that it has text. */
export function judgeStreamWithText(judge: (reading: StreamReading) => Ruling): Judgement {
  return judgeStream((reading) => {
    if (reading.text === undefined)
      return notExercised('no text was recognised in the stream: see STR-3', PIN_TEXT);
    return judge(reading);
  });
}
