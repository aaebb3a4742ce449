import type { IncomingMessage, ServerResponse, OutgoingHttpHeaders } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Choices, Generation, Page, CompletionMembers, Json } from './choices.ts';

/** A response before it is sent. */
export interface Reply extends Page {
  /** A stream may have begun already, with comments. */
  readonly isStream?: boolean;
}

export function jsonReply(value: Json, { stringify, jsonType }: Choices): Reply {
  return { status: 200, type: jsonType, body: typeof value === 'string' ? value : stringify(value) };
}

/** A completion, whole or as the events of a stream. */
export function completionReply(generation: Generation, stream: boolean, choices: Choices): Reply {
  const members = membersOf(generation, choices);
  return stream
    ? streamReply(generation, members, choices)
    : jsonReply(choices.completion(generation, members), choices);
}

/** Finish reason and usage, each where it belongs. */
function membersOf(generation: Generation, { finish, usage }: Choices): Required<CompletionMembers> {
  const [one, other] = [finish(generation.finish), usage(generation)];
  return {
    root: { ...one.root, ...other.root },
    choice: { ...one.choice, ...other.choice },
    message: { ...one.message, ...other.message },
  };
}

function streamReply(generation: Generation, members: Required<CompletionMembers>, choices: Choices): Reply {
  const { events, lastEvent, frameEvent, streamEdges, heartbeatMs, stringify, streamType } = choices;
  const all = [...events(generation, members), ...(lastEvent === undefined ? [] : [lastEvent])];
  const framed = all.map(({ name, data }, index) => {
    const text = typeof data === 'string' ? data : stringify(data);
    return frameEvent({ ...(name !== undefined && { name }), data: text }, index);
  });
  const [before, after] = streamEdges;
  // After a comment, the stream has begun already.
  const body = (heartbeatMs > 0 ? '' : before) + framed.join('') + after;
  return { status: 200, type: streamType, body, isStream: true };
}

/** A refusal; that of a rate limit error says when to try again. */
export function refusalReply(
  { kind, message }: Refusal,
  { requestId, path, request }: Call,
  choices: Choices,
): Reply {
  const { code, errorBody, errorType, retryAfter, stringify } = choices;
  const status = choices.status(kind);
  const told = { kind, message, code: code(kind), requestId, status, path, address: request.url ?? path };
  const reply = { status, type: errorType, body: stringify(errorBody(told)) };
  const after = kind === 'rate_limit' ? retryAfter() : undefined;
  return after === undefined ? reply : { ...reply, headers: { 'retry-after': after } };
}

/** One request, which has arrived whole, and its response. */
export interface Call {
  readonly requestId: string | number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly body: Buffer;
}

const COMPRESSORS = { gzip: gzipSync, br: brotliCompressSync } as const;
/** Bytes of a piece, and pieces between two turns of the event loop. */
const PIECE = 48;
const PIECES_A_TURN = 16;

/** Sends a complete reply, delivered as chosen. */
export async function deliver(call: Call, reply: Reply, choices: Choices): Promise<void> {
  const { request, response } = call;
  // A stream that has begun with comments stays as it began.
  const coding = response.headersSent ? undefined : choices.compresses(request.headers['accept-encoding']);
  const body = coding === undefined ? Buffer.from(reply.body) : COMPRESSORS[coding](reply.body);
  if (!response.headersSent) {
    const coded = coding !== undefined && { 'content-encoding': coding };
    response.writeHead(reply.status, { ...headersOf(call, reply, body, choices), ...coded });
  }
  if (choices.delivery === 'in-small-pieces' && reply.isStream === true) await writePieces(response, body);
  else if (choices.delivery !== 'whole') writeHalves(response, body);
  else response.write(body);
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

function headersOf(
  { requestId }: Call,
  reply: Reply,
  body: Buffer,
  { delivery, headers }: Choices,
): OutgoingHttpHeaders {
  return {
    ...(reply.type !== undefined && { 'content-type': reply.type }),
    ...(delivery === 'whole' && { 'content-length': body.length }),
    ...reply.headers,
    ...headers(requestId),
  };
}

function writeHalves(response: ServerResponse, body: Buffer): void {
  const half = Math.floor(body.length / 2);
  response.write(body.subarray(0, half));
  response.write(body.subarray(half));
}

async function writePieces(response: ServerResponse, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length; at += PIECE) {
    response.write(body.subarray(at, at + PIECE));
    if (at % (PIECE * PIECES_A_TURN) === 0) await nextTurn();
  }
}

/** The reasons for a refusal, each with its conventional status. */
export const REFUSALS = {
  malformed: 400,
  wrong_value: 400,
  unknown_field: 400,
  wrong_image: 400,
  token_limit: 400,
  key_missing: 400,
  no_credential: 401,
  wrong_credential: 401,
  no_credits: 402,
  no_scope: 403,
  no_such_path: 404,
  no_such_model: 404,
  wrong_method: 405,
  key_busy: 409,
  key_used: 409,
  too_many_bytes: 413,
  wrong_type: 415,
  rate_limit: 429,
  unavailable: 503,
} as const;

export type RefusalKind = keyof typeof REFUSALS;

/** Ends the handling of a request with an application error, which consumes nothing. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function refuse(kind: RefusalKind, message: string): never {
  throw new Refusal(kind, message);
}
