import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Choices, Generation, Json, Page, Refusal } from './convention.ts';

/** One request, which has arrived whole, and its response. */
export interface Call {
  readonly requestId: string | number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: Buffer;
}

export function jsonReply(value: Json, { stringify, jsonType }: Choices): Page {
  return { status: 200, type: jsonType, body: typeof value === 'string' ? value : stringify(value) };
}

export function completionReply(generation: Generation, isStream: boolean, choices: Choices): Page {
  const members = { root: choices.usage(generation), choice: { finish_reason: generation.finish } };
  if (!isStream) return jsonReply(choices.completion(generation, members), choices);
  const { events, lastEvent, frameEvent, streamEdges, heartbeatMs, stringify, streamType } = choices;
  const framed = [...events(generation, members), lastEvent].map(({ name, data }, index) => {
    const text = typeof data === 'string' ? data : stringify(data);
    return frameEvent({ ...(name !== undefined && { name }), data: text }, index);
  });
  const [before, after] = streamEdges;
  // After a comment, the stream has begun already.
  const body = (heartbeatMs > 0 ? '' : before) + framed.join('') + after;
  return { status: 200, type: streamType, body };
}

/** A refusal; that of a rate limit error says when to try again. */
export function refusalReply({ kind, message }: Refusal, call: Call, choices: Choices): Page {
  const status = choices.status(kind);
  const { requestId, request } = call;
  const told = { code: choices.code(kind), message, id: requestId, status, address: request.url ?? '' };
  const reply = { status, type: choices.errorType, body: choices.stringify(choices.errorBody(told)) };
  return kind === 'throttled' ? { ...reply, headers: { 'retry-after': choices.retryAfter() } } : reply;
}

/** Sends a complete reply, delivered as chosen. */
export function deliver({ requestId, request, response }: Call, reply: Page, choices: Choices): void {
  // A stream that has begun with comments stays as it began.
  const isGzip = !response.headersSent && choices.compresses(request.headers['accept-encoding']);
  const body = isGzip ? gzipSync(reply.body) : Buffer.from(reply.body);
  if (!response.headersSent)
    response.writeHead(reply.status, {
      ...(reply.type !== undefined && { 'content-type': reply.type }),
      ...(choices.delivery === 'whole' && { 'content-length': body.length }),
      ...reply.headers,
      ...choices.headers(requestId),
      ...(isGzip && { 'content-encoding': 'gzip' }),
    });
  const half = choices.delivery === 'whole' ? body.length : Math.floor(body.length / 2);
  response.write(body.subarray(0, half));
  response.write(body.subarray(half));
  response.end();
}

/** Sends the head of a stream, and comments until the function it returns is called. */
export function startHeartbeat({ requestId, response }: Call, choices: Choices): () => void {
  if (choices.heartbeatMs === 0) return () => undefined;
  response.writeHead(200, { 'content-type': choices.streamType, ...choices.headers(requestId) });
  response.write(`${choices.streamEdges[0]}: waiting\n\n`);
  const timer = setInterval(() => response.write(': waiting\n\n'), choices.heartbeatMs);
  return () => clearInterval(timer);
}
