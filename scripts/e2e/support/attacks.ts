import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';

/** Bytes on the wire, from the status line on, with so many of what is hostile; after them the connection is closed. */
export type Attack = (size: number) => Iterable<Uint8Array>;

const BLOCK = 64 * 1024;

/** A unit, so many times. */
function* repeated(unit: string, count: number): Generator<Buffer> {
  const inBlock = Math.max(1, Math.floor(BLOCK / unit.length));
  const block = Buffer.from(unit.repeat(inBlock), 'latin1');
  for (let left = count; left > 0; left -= inBlock)
    yield left >= inBlock ? block : block.subarray(0, left * unit.length);
}

function head(headers: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\nconnection: close\r\n${headers}\r\n`, 'latin1');
}

const JSON_TYPE = 'content-type: application/json\r\n';
const STREAM_TYPE = 'content-type: text/event-stream\r\n';
const CHUNKED = 'transfer-encoding: chunked\r\n';

/** A body of so many of these, up to the end of the connection. */
function body(type: string, unit: string, before = '', after = ''): Attack {
  return function* answer(size) {
    yield head(type);
    yield Buffer.from(before);
    yield* repeated(unit, size);
    yield Buffer.from(after);
  };
}

/** So many chunks, each framed like this. */
function chunks(unit: string, headers = JSON_TYPE + CHUNKED, end = '0\r\n\r\n'): Attack {
  return function* answer(size) {
    yield head(headers);
    yield* repeated(unit, size);
    yield Buffer.from(end);
  };
}

/** So many of these lines before or in the head of an answer. */
function lines(before: string, line: string, after: string): Attack {
  return function* answer(size) {
    yield Buffer.from(before);
    yield* repeated(line, size);
    yield Buffer.from(after);
  };
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}';

const INVALID_UTF8 =
  '\x80\xc0\xaf\xc1\xbf\xe0\x80\xaf\xed\xa0\x80\xf0\x80\x80\xaf\xf4\x90\x80\x80\xf8\x88\x80\x80\x80\xfe\xff"';

function* bomb(size: number): Generator<Buffer> {
  yield head(`${JSON_TYPE}content-encoding: gzip\r\n`);
  yield gzipSync(Buffer.alloc(size, '{"a":'));
}

/** What a service may do to whoever reads its answer: each with its size. */
export const ATTACKS = {
  'one-byte-chunks': [60_000, chunks('1\r\nx\r\n')],
  'empty-events': [400_000, body(STREAM_TYPE, 'data:\n\n')],
  'bad-events': [400_000, body(STREAM_TYPE, 'data:{\n\n')],
  brackets: [2_500_000, body(JSON_TYPE, '[')],
  zeros: [4 * 1024 * 1024, body(JSON_TYPE, '\0')],
  'escaped-escapes': [600_000, body(JSON_TYPE, '\\\\u005c')],
  'endless-body': [40_000_000, body(JSON_TYPE, ' ')],
  'invalid-utf-8': [90_000, body(JSON_TYPE, INVALID_UTF8)],
  'gzip-bomb': [20_000_000, bomb],
  'deep-error': [100_000, body(JSON_TYPE, '{"error":', '', '1')],
  'endless-headers': [100_000, lines('HTTP/1.1 200 OK\r\n', 'x-filler: something\r\n', '\r\n')],
  'endless-header': [1_000_000, lines('HTTP/1.1 200 OK\r\nx-filler: ', 'x', '\r\n\r\n')],
  'interim-answers': [20_000, lines('', 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n', OK)],
  'endless-trailers': [100_000, chunks('x-trailer: y\r\n', JSON_TYPE + CHUNKED, '\r\n')],
  'chunk-extensions': [20_000, chunks(`1;${'e'.repeat(60)}=1\r\nx\r\n`)],
  'many-answers': [2000, lines('', OK, '')],
} as const satisfies Readonly<Record<string, readonly [number, Attack]>>;

/** A list of models without an end. */
export const manyModels = body(JSON_TYPE, '{"id":"m"},', '{"data":[', '{"id":"m"}]}');

const SERVED = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] };
const MODELS = { data: [{ id: 'any-1' }] };

/** Serves every request but the first of these, which it attacks; given a function, it attacks all of these. */
export async function startAttack(
  onto: 'models' | 'chat',
  attack: Iterable<Uint8Array> | (() => Iterable<Uint8Array>),
  onAttack: () => void = () => {},
): Promise<{ readonly baseUrl: string; readonly close: () => void }> {
  let isDone = false;
  const server = createServer((request, response) => {
    void text(request).then(async () => {
      const asked = request.method === 'GET' ? 'models' : 'chat';
      if (asked !== onto || (isDone && typeof attack !== 'function')) {
        response.setHeader('content-type', 'application/json');
        return response.end(JSON.stringify(asked === 'models' ? MODELS : SERVED));
      }
      isDone = true;
      onAttack();
      // Whoever is attacked may hang up at any time.
      return pipeline(Readable.from(typeof attack === 'function' ? attack() : attack), request.socket).catch(
        () => {},
      );
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it listens at no port');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, close };
}
