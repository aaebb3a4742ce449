import type {
  DELIVERIES,
  PACES,
  STREAM_ENDS,
  STREAM_EVENTS,
  STREAM_FRAMES,
} from './sentences/stream-variants.ts';
import type { Choices, Made, Said } from '../second-service/choices.ts';
import type { JsonMembers } from '../second-service/json.ts';
import { linesOf, pieces, CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';

type ChoicesOf<T> = Readonly<Record<keyof T, Partial<Choices>>>;

const chunk = (delta: JsonMembers, more: JsonMembers = {}, root: JsonMembers = {}) => ({
  data: { object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }], ...root },
});

/** All that a response says beside its text. */
const summary = ({ root, choice, message }: Required<Said>): JsonMembers => ({
  ...message,
  ...choice,
  ...root,
});

const events = (
  made: (made: Made, said: Required<Said>) => ReturnType<Choices['events']>,
): Partial<Choices> => ({
  events: made,
});

export const STREAM_EVENT_CHOICES: ChoicesOf<typeof STREAM_EVENTS> = {
  'one-whole-event': events((made, said) => [{ data: CONVENTIONAL_CHOICES.completion(made, said) }]),
  'one-big-delta': events(({ text }, { root, choice, message }) => [
    chunk({ role: 'assistant', content: text, ...message }, choice, root),
  ]),
  'usage-in-an-extra-chunk': events(({ text }, { root, choice, message }) => [
    ...pieces(text).map((content) => chunk({ content })),
    chunk(message, choice),
    { data: { object: 'chat.completion.chunk', choices: [], ...root } },
  ]),
  'named-events': events(({ id, text }, said) => [
    { name: 'started', data: { id } },
    ...pieces(text).map((piece) => ({ name: 'delta', data: { text: piece } })),
    { name: 'completed', data: summary(said) },
  ]),
  'texts-for-events': events(({ text }, said) => [
    ...pieces(text).map((piece) => ({ data: JSON.stringify(piece) })),
    { data: summary(said) },
  ]),
  'nulls-in-deltas': events(({ text }, { root, choice, message }) => [
    chunk({ role: 'assistant', content: null, refusal: null }, { logprobs: null }, { usage: null }),
    ...pieces(text).map((content) => chunk({ content, refusal: null }, { logprobs: null }, { usage: null })),
    chunk({ content: null, ...message }, { logprobs: null, ...choice }, root),
  ]),
};

const endedBy = (newline: string): Partial<Choices> => ({
  frame: ({ name, data }) =>
    linesOf(name, data)
      .map((line) => line + newline)
      .join(''),
});

const NEWLINES = ['\n', '\r\n', '\r'];

export const STREAM_FRAME_CHOICES: ChoicesOf<typeof STREAM_FRAMES> = {
  'crlf-events': endedBy('\r\n'),
  'cr-events': endedBy('\r'),
  'mixed-newlines': {
    frame: ({ name, data }, index) =>
      linesOf(name, data)
        .map((line) => line + NEWLINES[index % 3])
        .join(''),
  },
  'comments-between-events': {
    frame: ({ name, data }) => `: a comment\n${linesOf(name, data).join('\n')}\n:\n\n`,
    around: [': welcome\n\n', ': goodbye'],
  },
  'ids-of-events': {
    frame: ({ name = 'message', data }, index) => `id: ${index}\n${linesOf(name, data).join('\n')}\n`,
    around: ['retry: 3000\n\n', ''],
  },
  'no-space-after-the-colon': {
    frame: ({ name, data }) =>
      `${name === undefined ? '' : `event:${name}\n`}data:${data.replaceAll(/\s*\n\s*/g, '')}\n\n`,
  },
  'data-on-many-lines': {
    frame: ({ name, data }) => `${linesOf(name, data.replaceAll(/(?<=^\{)|(?=\}$)/g, '\n')).join('\n')}\n`,
  },
  'byte-order-mark': { around: ['\ufeff', ''] },
};

export const STREAM_END_CHOICES: ChoicesOf<typeof STREAM_ENDS> = {
  'no-terminator': { lastEvent: undefined },
  'terminator-in-json': { lastEvent: { data: { done: true } } },
  'named-terminator': { lastEvent: { name: 'end', data: {} } },
};

export const DELIVERY_CHOICES: ChoicesOf<typeof DELIVERIES> = {
  'chunked-answers': { delivery: 'chunked' },
  'in-small-pieces': { delivery: 'in-small-pieces' },
  heartbeats: { delivery: 'chunked', heartbeat: 20 },
};

export const PACE_CHOICES: ChoicesOf<typeof PACES> = {
  'slow-but-buffered': { takes: () => 70 },
  'slow-refusals': { refusalTakes: 20 },
  'two-at-a-time': { concurrency: 2, retryAfter: () => '0', takes: () => 5 },
};
