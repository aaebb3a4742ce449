import type { STREAMING_DEFECTS } from './streaming-defects.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { World } from '../world/world.ts';
import type { DefectHooks, RewrittenAnswer } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changing } from './fields.ts';
import { chatOf, isStreamed, misreads } from './misreads.ts';
import { codeOf, isStream, misspells, misspellsItems, withText } from './misspells.ts';
import { eventsOf, joined, misstreams, misstreamsEvents } from './misstreams.ts';

const EVENTS = 'text/event-stream';
/** Milliseconds that a model takes for a long text, and how many tokens make one. */
const WRITING_MS = 600;
const LONG_TOKENS = 200;
const BEGUN =
  'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant"}}]}\n\n';

/** The models take no time of their own any more: it is spent while their streams are on the way. */
function atOnce(world: World): World {
  return { ...world, models: world.models.map((model) => ({ ...model, latencyMs: 0 })) };
}

function isLong(request: ReceivedRequest): boolean {
  return Number(chatOf(request)?.['max_tokens']) >= LONG_TOKENS;
}

/** A long stream arrives as it is being written. */
function delivers(how: (body: string) => RewrittenAnswer['delivery']): DefectHooks {
  return {
    changeWorld: atOnce,
    ...misspells(
      (answer, request) => isStream(answer) && isLong(request),
      (answer) => {
        const delivery = how(answer.body);
        return { ...answer, ...(delivery && { delivery }) };
      },
    ),
  };
}

/** In so many pieces. */
function trickles(pieces: number): DefectHooks {
  return delivers((body) => ({
    fault: 'pieces',
    bytes: Math.ceil(body.length / pieces),
    ms: WRITING_MS / pieces,
  }));
}

/** So many events arrive at once, and the others when the text is written. */
function begins(events: (all: number) => number): DefectHooks {
  return delivers((body) => {
    const all = eventsOf(body);
    return { fault: 'stall', bytes: joined(all.slice(0, events(all.length))).length, ms: WRITING_MS };
  });
}

function isRefusedStream(answer: Answer, request: ReceivedRequest): boolean {
  return codeOf(answer) !== undefined && answer.status < 500 && isStreamed(request);
}

/** Says something else where a chat that asked for a stream is refused. */
const misrefuses = (say: (answer: Answer) => RewrittenAnswer): DefectHooks => misspells(isRefusedStream, say);

const typed = (contentType: string): DefectHooks =>
  misspells(isStream, (answer) => ({ ...answer, contentType }));

const halfOf = (text: string): string => text.slice(0, text.length >> 1);

export const STREAMING_BREACHES: Breaches<typeof STREAMING_DEFECTS> = {
  'stream-ignored': () =>
    misreads((chat) => changing(chat, 'stream', (value) => (value === true ? false : value))),
  'stream-typed-json': () => typed('application/json'),
  'stream-typed-plain': () => typed('text/plain; charset=utf-8'),
  'stream-trickles': () => trickles(20),
  'stream-begins-early': () => begins(() => 3),
  'stream-role-early': () => begins(() => 1),
  'stream-second-half-late': () => begins((all) => all >> 1),
  'stream-empty': () => misstreams(() => ''),
  'stream-only-terminated': () => misstreamsEvents((events) => events.slice(-1)),
  'stream-lines-not-separated': () => misstreams((body) => body.replaceAll('\n\n', '\n')),
  'stream-end-not-flushed': () => misstreams((body) => body.slice(0, -1)),
  'stream-json-broken': () =>
    misstreamsEvents((events) => events.map((event, index) => (index === 1 ? event.slice(0, -4) : event))),
  'stream-json-on-many-lines': () =>
    misstreamsEvents((events) => events.map((event) => event.replaceAll('{', '{\n '))),
  'stream-characters-split': () =>
    misstreams((body) => body.replace('"content":"', '"content":"\u00e2\u0080"},"more":{"content":"')),
  'stream-cut-in-half': () => misstreams(halfOf),
  'stream-ends-in-an-error': () =>
    misstreamsEvents((events) => [
      ...events.slice(0, 2),
      'data: {"error":{"code":"internal_error","message":"The model failed.","request_id":"req_0"}}',
    ]),
  'refusals-streamed': () =>
    misrefuses((answer) => ({
      ...withText(answer, EVENTS, `data: ${answer.body}\n\n`),
      status: 200,
    })),
  'refusals-streamed-with-their-status': () =>
    misrefuses((answer) => withText(answer, EVENTS, `data: ${answer.body}\n\n`)),
  'stream-begun-before-validation': () =>
    misspells(
      (answer, request) => codeOf(answer) === 'unknown_field' && isStreamed(request),
      (answer) => ({ ...withText(answer, EVENTS, BEGUN), status: 200 }),
    ),
  'stream-broken-off-in-place-of-refusal': () =>
    misrefuses((answer) => ({
      ...withText(answer, EVENTS, BEGUN),
      status: 200,
      delivery: { fault: 'wrong_content_length', difference: 1 },
    })),
  'stream-refusals-of-another-code': () =>
    misspellsItems([], (items, answer, request) =>
      isRefusedStream(answer, request) ? { ...items, code: 'stream_error' } : items,
    ),
  'stream-refusals-in-plain-text': () =>
    misrefuses((answer) => withText(answer, 'text/plain', 'Bad request')),
};
