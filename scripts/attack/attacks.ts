import { gzipSync } from 'node:zlib';

/** A hostile answer: what a service may do to whoever reads it. */
export interface Attack {
  /** What is attacked: the list of models, or the first completion. */
  readonly at: 'models' | 'chat';
  /** How large it is by the command. */
  readonly size: number;
  /** How large it is in the tests. */
  readonly small: number;
  /** Bytes on the wire, from the status line on; after them the connection is closed. */
  readonly answer: (size: number) => Iterable<Uint8Array>;
}

const BLOCK = 64 * 1024;

/** A text, so many times. */
function* repeated(text: string, count: number): Generator<Buffer> {
  const inBlock = Math.max(1, Math.floor(BLOCK / text.length));
  const block = Buffer.from(text.repeat(inBlock), 'latin1');
  for (let left = count; left > 0; left -= inBlock)
    yield left >= inBlock ? block : block.subarray(0, left * text.length);
}

function head(headers: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\nconnection: close\r\n${headers}\r\n`, 'latin1');
}

const JSON_TYPE = 'content-type: application/json\r\n';
const STREAM_TYPE = 'content-type: text/event-stream\r\n';
const CHUNKED = 'transfer-encoding: chunked\r\n';

/** A body of so many of these, up to the end of the connection. */
function body(type: string, unit: string, before = '', after = ''): Attack['answer'] {
  return function* answer(size) {
    yield head(type);
    yield Buffer.from(before);
    yield* repeated(unit, size);
    yield Buffer.from(after);
  };
}

/** So many chunks, each framed like this. */
function chunks(unit: string, headers = JSON_TYPE + CHUNKED, end = '0\r\n\r\n'): Attack['answer'] {
  return function* answer(size) {
    yield head(headers);
    yield* repeated(unit, size);
    yield Buffer.from(end);
  };
}

/** So many of these lines before or in the head of an answer. */
function lines(before: string, line: string, after: string): Attack['answer'] {
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

/** Hostile answers, by name. */
export const ATTACKS = {
  'one-byte-chunks': { at: 'chat', size: 6_000_000, small: 60_000, answer: chunks('1\r\nx\r\n') },
  'empty-events': {
    at: 'chat',
    size: 2_500_000,
    small: 400_000,
    answer: body(STREAM_TYPE, 'data:\n\n'),
  },
  'bad-events': { at: 'chat', size: 2_500_000, small: 400_000, answer: body(STREAM_TYPE, 'data:{\n\n') },
  brackets: { at: 'chat', size: 5_000_000, small: 2_500_000, answer: body(JSON_TYPE, '[') },
  models: {
    at: 'models',
    size: 600_000,
    small: 60_000,
    answer: body(JSON_TYPE, '{"id":"m"},', '{"data":[', '{"id":"m"}]}'),
  },
  zeros: { at: 'chat', size: 32 * 1024 * 1024, small: 4 * 1024 * 1024, answer: body(JSON_TYPE, '\0') },
  'escaped-escapes': { at: 'chat', size: 8_000_000, small: 600_000, answer: body(JSON_TYPE, '\\\\u005c') },
  'endless-body': { at: 'chat', size: 300_000_000, small: 40_000_000, answer: body(JSON_TYPE, ' ') },
  'invalid-utf-8': { at: 'chat', size: 200_000, small: 90_000, answer: body(JSON_TYPE, INVALID_UTF8) },
  'gzip-bomb': { at: 'chat', size: 100_000_000, small: 20_000_000, answer: bomb },
  'deep-error': {
    at: 'chat',
    size: 300_000,
    small: 100_000,
    answer: body(JSON_TYPE, '{"error":', '', '1'),
  },
  'endless-headers': {
    at: 'chat',
    size: 5_000_000,
    small: 100_000,
    answer: lines('HTTP/1.1 200 OK\r\n', 'x-filler: something\r\n', '\r\n'),
  },
  'endless-header': {
    at: 'chat',
    size: 50_000_000,
    small: 1_000_000,
    answer: lines('HTTP/1.1 200 OK\r\nx-filler: ', 'x', '\r\n\r\n'),
  },
  'interim-answers': {
    at: 'chat',
    size: 1_000_000,
    small: 20_000,
    answer: lines('', 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n', OK),
  },
  'endless-trailers': {
    at: 'chat',
    size: 5_000_000,
    small: 100_000,
    answer: chunks('x-trailer: y\r\n', JSON_TYPE + CHUNKED, '\r\n'),
  },
  'chunk-extensions': {
    at: 'chat',
    size: 500_000,
    small: 20_000,
    answer: chunks(`1;${'e'.repeat(60)}=1\r\nx\r\n`),
  },
  'many-answers': { at: 'chat', size: 100_000, small: 2000, answer: lines('', OK, '') },
} as const satisfies Readonly<Record<string, Attack>>;

export type AttackName = keyof typeof ATTACKS;
