import { expect, test } from 'vitest';
import type { DefectiveService, ResponseHook } from '../../exchange/defect-hooks.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { ReceivedRequest } from '../../protocol/request.ts';
import { mapDeltas } from './json-members.ts';
import { rewriteChunk, rewriteEvents, rewriteStream } from './response-hooks.ts';

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

const rewritten = (rewrite: ResponseHook, answer = STREAM): string => rewrite(answer, REQUEST, SERVICE).body;

test('leaves every answer that is not a stream as it is', () => {
  const json = { ...STREAM, contentType: 'application/json' };
  expect(
    rewritten(
      rewriteStream(() => ''),
      json,
    ),
  ).toBe(STREAM.body);
});

test('rewrites the events of a stream', () => {
  expect(rewritten(rewriteEvents((events) => events.slice(1)))).toBe(
    'data: {"usage":{}}\n\ndata: [DONE]\n\n',
  );
});

test('rewrites chunks, leaves some out, and keeps the terminator', () => {
  const rewrite = rewriteChunk((chunk) =>
    'usage' in chunk ? undefined : mapDeltas(chunk, (delta) => ({ ...delta, content: 'Ho' })),
  );
  expect(rewritten(rewrite)).toBe('data: {"choices":[{"delta":{"content":"Ho"}}]}\n\ndata: [DONE]\n\n');
});
