import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { SPELLINGS } from '../../../fixtures/credentials/test-support/spellings.ts';
import { listening } from '../../../suites/engine/test-support/service.ts';

const NAMES = Object.keys(SPELLINGS);

/** Small enough to split any encoding over several pieces. */
const PIECE = 7;

/** What stands for the key in this answer: the header as it came, or its last word in the spelling whose turn it is. */
function echoOf({ headers }: IncomingMessage, turn: number): string {
  const header = headers.authorization ?? '';
  const key = header.split(' ').at(-1) ?? '';
  return turn % 5 === 0 ? header : (SPELLINGS[NAMES[turn % NAMES.length] ?? '']?.(key) ?? '');
}

function completion(echo: string): string {
  const usage = '{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}';
  const message = `{"role":"assistant","content":"${echo}"}`;
  return `{"id":"${echo}","choices":[{"index":0,"message":${message},"finish_reason":"stop"}],"usage":${usage},"${echo}":1}`;
}

/** The name and the content of an event, a comment, and the data of the last one. */
function streamed(echo: string): string {
  const chunk = `{"choices":[{"index":0,"delta":{"content":"${echo}"}}]}`;
  return `event: ${echo}\ndata: ${chunk}\n\n: ${echo}\ndata: ${echo}\n\n`;
}

function refusal(echo: string, turn: number): string {
  const code = turn % 2 === 0 ? echo : 'invalid';
  return `{"error":{"code":"${code}","message":"no such key: ${echo}","request_id":"${echo}-${turn}"}}`;
}

function bodyOf({ url = '', method }: IncomingMessage, sent: string, echo: string, turn: number): string {
  if (url.includes('/control')) return refusal(echo, turn);
  if (method === 'GET')
    return `{"data":[{"id":"any-1","owned_by":"${echo}","context_length":4096}],"${echo}":"${echo}"}`;
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

/**
 * A service that accepts every request and repeats its key, each time in another encoding; it "refuses" every key with
 * status 401, or "babbles" what is no list of models. Returns its origin.
 */
export async function startEchoingServer(manner: 'serves' | 'refuses' | 'babbles'): Promise<string> {
  let turn = 0;
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      turn += 1;
      if (manner === 'serves') return answer(request, sent, response, turn);
      return response.writeHead(manner === 'refuses' ? 401 : 200).end(refusal(echoOf(request, turn), turn));
    });
  });
  return listening(server);
}
