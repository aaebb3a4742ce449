import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { listening } from '../../../suites/engine/test-support/service.ts';

/** What takes a page over where it becomes markup, what turns or hides text, and a word that no line has room for. */
export const HOSTILE_WORDS = [
  '</code></pre></dd></dl></details></li></ul></section></main></style></title>',
  '<script>globalThis.ran = 1; alert(1)</script><img src="http://127.0.0.1:9/" onerror="alert(2)">',
  '<style>body { display: none }</style><base href="http://127.0.0.1:9/"><svg onload="alert(3)">',
  '<a href="javascript:alert(4)">x</a><iframe src="http://127.0.0.1:9/"></iframe><!--',
  '" onmouseover="alert(5)" autofocus onfocus="alert(6)" x="&lt;b&gt;\' -->',
  '\u202eturned\u2066\u200b\u0000\u001b[31m\u0085\u2028\ufeff\ud800 שָׁלוֹם مرحبا',
  'm'.repeat(400),
].join('');

function refusal(response: ServerResponse, status: number): void {
  const error = { code: HOSTILE_WORDS, message: HOSTILE_WORDS, request_id: HOSTILE_WORDS };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

function served(response: ServerResponse): void {
  const message = { role: 'assistant', content: HOSTILE_WORDS };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const choices = [{ index: 0, message, finish_reason: HOSTILE_WORDS }];
  const body = { [HOSTILE_WORDS]: HOSTILE_WORDS, choices, usage };
  response.writeHead(200, {
    'content-type': 'application/json',
    'x-ratelimit-limit': '<script>alert(7)</script>',
  });
  response.end(JSON.stringify(body));
}

function listed(response: ServerResponse): void {
  const data = [{ id: HOSTILE_WORDS, context_length: 4096, [HOSTILE_WORDS]: HOSTILE_WORDS }];
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (request.headers.authorization === undefined) return refusal(response, 401);
  if (request.method === 'GET' && request.url?.endsWith('/models') === true) return listed(response);
  if (request.method === 'GET') return void response.writeHead(502).end(HOSTILE_WORDS);
  return body.includes('"role":"user"') ? served(response) : refusal(response, 400);
}

/** A service that serves much of what it should refuse, and says everything in hostile words, for the tests of a file. */
export async function startHostileService(): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  return `${await listening(server, afterAll)}/v1`;
}
