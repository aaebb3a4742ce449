import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { SPELLINGS } from '../../../fixtures/credentials/test-support/spellings.ts';

/** A service that accepts every request and repeats its key, each time in another encoding. */
export interface EchoingServer {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

const NAMES = Object.keys(SPELLINGS);

/** Small enough to split any encoding over several pieces. */
const PIECE = 7;

/** What stands for the key in this answer: the header as it came, or its last word in the spelling whose turn it is. */
function echoOf(request: IncomingMessage, turn: number): string {
  const header = request.headers.authorization ?? '';
  const key = header.split(' ').at(-1) ?? '';
  const spelling = SPELLINGS[NAMES[turn % NAMES.length] ?? ''];
  return turn % 5 === 0 ? header : (spelling?.(key) ?? '');
}

function completion(echo: string): string {
  const usage = '{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}';
  const message = `{"role":"assistant","content":"${echo}"}`;
  return `{"id":"${echo}","choices":[{"index":0,"message":${message},"finish_reason":"stop"}],"usage":${usage},"${echo}":1}`;
}

function chunk(content: string): string {
  return `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
}

/** The content and the name of an event, a comment, and the data of the last one. */
function streamed(echo: string): string {
  return `event: ${echo}\n${chunk(echo)}: ${echo}\ndata: ${echo}\n\n`;
}

function listing(echo: string): string {
  return `{"data":[{"id":"any-1","owned_by":"${echo}","context_length":4096}],"${echo}":"${echo}"}`;
}

function refusal(echo: string, turn: number): string {
  return `{"error":{"code":"${turn % 2 === 0 ? echo : 'invalid'}","message":"no such key: ${echo}","request_id":"${echo}-${turn}"}}`;
}

function bodyOf(request: IncomingMessage, sent: string, echo: string, turn: number): string {
  if (request.url?.includes('/control') === true) return refusal(echo, turn);
  if (request.method === 'GET') return listing(echo);
  if (turn % 4 === 3) return refusal(echo, turn);
  if (turn % 11 === 10) return `<h1>Bad gateway: ${echo}</h1>`;
  return sent.includes('"stream":true') ? streamed(echo) : completion(echo);
}

function answer(request: IncomingMessage, sent: string, response: ServerResponse, turn: number): void {
  const echo = echoOf(request, turn);
  const body = Buffer.from(bodyOf(request, sent, echo, turn));
  const status = body.includes('"error"') ? 400 : 200;
  const visible = echo.replaceAll(/[^\u0020-\u007e]/g, '');
  const type = sent.includes('"stream":true') && status === 200 ? 'text/event-stream' : 'application/json';
  response.writeHead(status, `OK ${visible}`, {
    'content-type': type,
    'x-request-id': visible,
    [`x-${Buffer.from(request.headers.authorization ?? '').toString('hex')}`]: `${visible}, ${visible}`,
    'set-cookie': [`key=${encodeURIComponent(visible)}`, visible],
  });
  for (let at = 0; at < body.length; at += PIECE) response.write(body.subarray(at, at + PIECE));
  response.end();
}

export interface EchoingOptions {
  /** `refuses` every key with status 401; `babbles` what is no list of models. */
  readonly manner?: 'serves' | 'refuses' | 'babbles';
  /** Sees every request before it is answered. */
  readonly onRequest?: () => void;
}

/** Listens on a free loopback port. */
export async function startEchoingServer({
  manner = 'serves',
  onRequest,
}: EchoingOptions = {}): Promise<EchoingServer> {
  let turn = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (piece: Buffer) => chunks.push(piece));
    request.on('end', () => {
      onRequest?.();
      const sent = Buffer.concat(chunks).toString('latin1');
      if (manner === 'serves') return answer(request, sent, response, turn++);
      const echo = echoOf(request, turn++);
      response.writeHead(manner === 'refuses' ? 401 : 200).end(refusal(echo, turn));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens at no port');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { origin: `http://127.0.0.1:${address.port}`, close };
}
