import { isBrokenOffTwice } from '../engine/inputs/judging/is-served.ts';
import { judgeStream, judgeAskedFor, PIN_TEXT } from '../engine/inputs/judging/judged-answers.ts';
import { observationsOf } from '../engine/inputs/judging/observations.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';
import {
  HOLDS,
  inconclusive,
  violated,
  notExercised,
  observed,
  type Ruling,
} from '../engine/model/ruling.ts';
import { countsIn } from '../engine/reading/completions/read-completion.ts';
import { isErrorBody } from '../engine/reading/errors/disposition.ts';
import { pointerOf } from '../engine/reading/locate.ts';
import type { StreamEvent } from '../engine/reading/read-events.ts';
import { isEventStreamType, type StreamReading, eventText } from '../engine/reading/streams/read-stream.ts';

export const streamIsEventStream = check({
  id: 'stream-is-event-stream',
  everywhere: 'every-stream-is-event-stream',
  clauses: ['STR-1'],
  title: 'answers an accepted request with stream true with server-sent events',
  given: acceptedChats,
  holds: judgeAskedFor('streamed', (answer) => {
    if (isEventStreamType(answer)) return HOLDS;
    const actual = answer.headers['content-type'] ?? 'no content type';
    return violated('no-event-stream', 'the content type text/event-stream', actual, 'content-type');
  }),
});

const EXPECTED = 'a well-formed event stream from which the whole text can be read';

export const streamIsWhole = check({
  id: 'stream-is-whole',
  everywhere: 'every-stream-is-whole',
  clauses: ['STR-3'],
  title: 'sends a complete, well-formed event stream that holds the whole text',
  decides: 'is whole and well formed',
  given: acceptedChats,
  tellsUncertain: (trial) => isBrokenOffTwice(trial, true),
  holds: judgeStream(
    (reading) => malformed(reading) ?? withoutText(reading) ?? split(reading) ?? emptyText(reading) ?? HOLDS,
  ),
});

function malformed({ isUtf8, events, cutOff }: StreamReading): Ruling | undefined {
  if (!isUtf8) return violated('not-utf8', EXPECTED, 'bytes that are not UTF-8');
  if (cutOff) return violated('cut-off', EXPECTED, 'a last event without an empty line after it');
  if (events.length === 0) return violated('no-events', EXPECTED, 'a body without an event');
  const inEvent = (code: string, what: string, isWrong: (event: StreamEvent) => boolean) => {
    const at = events.findIndex(isWrong);
    const place = `in event ${at + 1} of ${events.length}: ${events[at]?.data.slice(0, 60)}`;
    return at === -1 ? undefined : violated(code, EXPECTED, `${what} ${place}`);
  };
  return (
    inEvent('broken-json', 'broken JSON', (event) => event.json === undefined && /^\s*\{/.test(event.data)) ??
    inEvent('broken-off', 'an error', ({ json }) => json !== undefined && isErrorBody(json))
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
  const tokens = countsIn(usage).output?.value ?? 0;
  if (text?.text !== '' || tokens === 0) return undefined;
  return inconclusive(
    `an empty text, and ${tokens} tokens are reported for it: --max-output-tokens may give room for one`,
  );
}

export const streamFraming = check({
  id: 'stream-framing',
  clauses: ['STR-5'],
  title: 'chooses how to frame the events of a stream',
  given: acceptedChats,
  holds: judgeStream(({ framing, text, terminator, events, newline, finishReason, usage }, { profile }) =>
    observed(
      ...observationsOf(
        {
          'stream.framing': framing,
          'stream.text': text?.pointer,
          'stream.terminator': terminator ?? null,
          'stream.event_names': [...new Set(events.flatMap(({ name }) => name ?? []))].toSorted(),
          'stream.newline': newline,
          'stream.finish_reason': pointerOf(finishReason),
          'stream.usage': pointerOf(usage),
        },
        profile,
      ),
    ),
  ),
});
