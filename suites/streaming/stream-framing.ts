import type { OpenPointName } from '../../fixtures/open-points.ts';
import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/check.ts';
import { type Observation, observed } from '../kit/ruling.ts';
import { ofStream } from './judge-stream.ts';

export const streamFraming = check({
  id: 'stream-framing',
  clauses: ['STR-5'],
  title: 'frames the events of a stream in its own way',
  given: acceptedChats,
  holds: ofStream(({ framing, text, terminator, events, newline, finishReason, usage }) =>
    observed(
      saw('stream.framing', framing),
      ...(text === undefined ? [] : [saw('stream.text', text.pointer)]),
      saw('stream.terminator', terminator ?? null),
      saw('stream.event_names', [...new Set(events.flatMap(({ name }) => name ?? []))].toSorted()),
      saw('stream.newline', newline),
      ...(typeof finishReason === 'object' ? [saw('stream.finish_reason', finishReason.pointer)] : []),
      ...(typeof usage === 'object' ? [saw('stream.usage', usage.pointer)] : []),
    ),
  ),
});

function saw(point: OpenPointName, value: Observation['value']): Observation {
  return { point, value };
}
