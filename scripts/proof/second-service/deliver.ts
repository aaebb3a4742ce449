import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Call } from './call.ts';
import type { Choices } from './choices.ts';
import type { Reply } from './reply.ts';

const COMPRESSORS = { gzip: gzipSync, br: brotliCompressSync } as const;
/** Bytes of a small piece, and pieces between two turns of the event loop. */
const PIECE = 48;
const A_TURN = 16;

/** Sends a reply, all of which is there already, in the way that was chosen. */
export async function deliver(call: Call, reply: Reply, choices: Choices): Promise<void> {
  const { request, response } = call;
  const coding = choices.compresses(request.headers['accept-encoding']);
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

/** Sends the head of a stream whose model is still at work, and comments until the function it returns is called. */
export function keepAlive({ requestId, response }: Call, choices: Choices): () => void {
  if (choices.heartbeat === 0) return () => undefined;
  response.writeHead(200, { 'content-type': choices.streamType, ...choices.headers(requestId) });
  response.write(`${choices.around[0]}: waiting\n\n`);
  const timer = setInterval(() => response.write(': waiting\n\n'), choices.heartbeat);
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
    if (at % (PIECE * A_TURN) === 0) await nextTurn();
  }
}
