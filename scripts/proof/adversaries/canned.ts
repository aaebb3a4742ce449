import type { ServerResponse } from 'node:http';
import type { Answering } from './adversary.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const MODELS = {
  object: 'list',
  data: [
    { id: 'm-1', context_length: 1024 },
    { id: 'm-2', context_length: 4096 },
  ],
};
const VISION = {
  data: [
    { id: 'm-1', vision: false },
    { id: 'm-2', vision: true },
  ],
};

export const COMPLETION = {
  id: 'c-1',
  object: 'chat.completion',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};

const STREAM =
  'data: {"choices":[{"index":0,"delta":{"content":"Yes"},"finish_reason":"stop"}],' +
  '"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\ndata: [DONE]\n\n';

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(value));
}

export function sendStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM);
}

/** An error object in order, with a request ID of its own. */
export function sendError(response: ServerResponse, status: number): void {
  errors += 1;
  sendJson(response, { error: { code: 'no', message: 'No.', request_id: `r-${errors}` } }, status);
}

let errors = 0;

/** Lists models and says which have vision, whoever asks, so that a run gets as far as asking for completions. */
export function behindLists(answers: Answering): Answering {
  return (request, response, body) => {
    if (request.method === 'GET' && request.url === '/v1/models') sendJson(response, MODELS);
    else if (request.method === 'GET' && request.url === '/v1/vision-capabilities')
      sendJson(response, VISION);
    else answers(request, response, body);
  };
}
