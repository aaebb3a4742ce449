import { observePoint } from '../kit/judging/observations.ts';
import { check } from '../kit/model/check.ts';
import { observed } from '../kit/model/ruling.ts';
import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import type { StreamReading } from '../kit/reading/streams/read-stream.ts';
import { judgeStream } from './judge-stream.ts';

export const streamFraming = check({
  id: 'stream-framing',
  clauses: ['STR-5'],
  title: 'chooses how to frame the events of a stream',
  given: acceptedChats,
  holds: judgeStream(({ framing, text, terminator, events, newline, finishReason, usage }, { profile }) =>
    observed(
      ...observePoint('stream.framing', framing, profile),
      ...observePoint('stream.text', text?.pointer, profile),
      ...observePoint('stream.terminator', terminator ?? null, profile),
      ...observePoint(
        'stream.event_names',
        [...new Set(events.flatMap(({ name }) => name ?? []))].toSorted(),
        profile,
      ),
      ...observePoint('stream.newline', newline, profile),
      ...observePoint('stream.finish_reason', pointerOf(finishReason), profile),
      ...observePoint('stream.usage', pointerOf(usage), profile),
    ),
  ),
});

function pointerOf(item: StreamReading['finishReason'] | StreamReading['usage']): string | undefined {
  // Stryker disable next-line ConditionalExpression: only narrows the type: other shapes lead to the same result
  return typeof item === 'object' ? item.pointer : undefined;
}
