import { expect, test } from 'vitest';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { DefectHooks, DefectiveService } from '../exchange/defect-hooks.ts';
import { changingDeltas, misstreams, misstreamsChunks, misstreamsEvents } from './misstreams.ts';

const EVENTS = ['data: {"choices":[{"delta":{"content":"Hi"}}]}', 'data: {"usage":{}}', 'data: [DONE]'];
const STREAM: Answer = {
  status: 200,
  requestId: 'r-1',
  contentType: 'text/event-stream; charset=utf-8',
  body: EVENTS.map((event) => `${event}\n\n`).join(''),
  headers: [],
};
const REQUEST: ReceivedRequest = {
  method: 'POST',
  url: '/v1/chat/completions',
  authorization: undefined,
  idempotencyKey: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  fault: undefined,
  body: null,
};

const SERVICE = {} as DefectiveService;

const said = ({ onResponse: says }: DefectHooks, answer = STREAM): string | undefined =>
  says?.(answer, REQUEST, SERVICE).body;

test('leaves every answer alone that is no stream', () => {
  const json = { ...STREAM, contentType: 'application/json' };
  expect(
    said(
      misstreams(() => ''),
      json,
    ),
  ).toBe(STREAM.body);
});

test('says other events in place of those of a stream', () => {
  expect(said(misstreamsEvents((events) => events.slice(1)))).toBe('data: {"usage":{}}\n\ndata: [DONE]\n\n');
});

test('spells chunks in another way, leaves some out, and keeps what ends the stream', () => {
  const breach = misstreamsChunks((chunk) =>
    'usage' in chunk ? undefined : changingDeltas(chunk, (delta) => ({ ...delta, content: 'Ho' })),
  );
  expect(said(breach)).toBe('data: {"choices":[{"delta":{"content":"Ho"}}]}\n\ndata: [DONE]\n\n');
});
