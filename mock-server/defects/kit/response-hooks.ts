import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import type { ResponseHook, RewrittenAnswer } from '../../exchange/defect-hooks.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { ReceivedRequest } from '../../protocol/request.ts';
import { isObject, mapChoices, mapMember, type Members } from './json-members.ts';
import { isChat } from './request-hooks.ts';

/** Rewrites such answers. */
export function rewriteResponse(
  when: (answer: Answer, request: ReceivedRequest) => boolean,
  rewrite: (answer: Answer, request: ReceivedRequest) => RewrittenAnswer,
): ResponseHook {
  return (answer, request) => (when(answer, request) ? rewrite(answer, request) : answer);
}

/** Rewrites errors, of these codes where any are given. */
export function rewriteErrors(
  codes: readonly string[],
  rewrite: (answer: Answer, request: ReceivedRequest) => RewrittenAnswer,
): ResponseHook {
  return rewriteResponse((answer) => {
    const code = codeOf(answer);
    return typeof code === 'string' && (codes.length === 0 || codes.includes(code));
  }, rewrite);
}

/** Rewrites the code, the message and the request ID of an error. */
export function rewriteErrorItems(
  codes: readonly string[],
  rewrite: (items: Members, answer: Answer, request: ReceivedRequest) => unknown,
): ResponseHook {
  return rewriteErrors(codes, (answer, request) =>
    withJson(answer, (body) => {
      const items = rewrite(itemsOf(body), answer, request);
      return isObject(body['error']) ? { ...body, error: items } : items;
    }),
  );
}

export function rewriteCompletion(
  rewrite: (body: Members, request: ReceivedRequest) => unknown,
): ResponseHook {
  return rewriteResponse(isCompletion, (answer, request) =>
    withJson(answer, (body) => rewrite(body, request)),
  );
}

export function rewriteChoice(rewrite: (choice: Members) => unknown): ResponseHook {
  return rewriteCompletion((body) => mapChoices(body, rewrite));
}

export function rewriteReply(rewrite: (message: Members) => unknown): ResponseHook {
  return rewriteChoice((choice) =>
    mapMember(choice, 'message', (message) => (isObject(message) ? rewrite(message) : message)),
  );
}

export function rewriteModelList(rewrite: (records: readonly unknown[]) => readonly unknown[]): ResponseHook {
  return rewriteResponse(isModelList, (answer) =>
    withJson(answer, (body) =>
      mapMember(body, 'data', (list) => (Array.isArray(list) ? rewrite(list) : list)),
    ),
  );
}

export function rewriteStream(rewrite: (body: string, request: ReceivedRequest) => string): ResponseHook {
  return rewriteResponse(isStream, (answer, request) => ({ ...answer, body: rewrite(answer.body, request) }));
}

/** Rewrites the events of a stream; an event is its text without the empty line that ends it. */
export function rewriteEvents(rewrite: (events: readonly string[]) => readonly string[]): ResponseHook {
  return rewriteStream((body) => joinEvents(rewrite(eventsOf(body))));
}

/** Rewrites the JSON of every chunk of a stream; undefined leaves a chunk out. */
export function rewriteChunk(
  rewrite: (chunk: Members, request: ReceivedRequest) => Members | undefined,
): ResponseHook {
  return rewriteStream((body, request) =>
    joinEvents(
      eventsOf(body).flatMap((event) => {
        const chunk = chunkOf(event);
        if (chunk === undefined) return [event];
        const rewritten = rewrite(chunk, request);
        return rewritten === undefined ? [] : [DATA + JSON.stringify(rewritten)];
      }),
    ),
  );
}

/** An answer with another body: text, one character a byte. */
export function withText(answer: Answer, contentType: string, body: string): RewrittenAnswer {
  return { ...answer, contentType, body };
}

/** An answer with its JSON changed. */
export function withJson(answer: Answer, change: (body: Members) => unknown): RewrittenAnswer {
  const body: Members = JSON.parse(answer.body);
  return { ...answer, body: JSON.stringify(change(body)) };
}

export function isCompletion({ status, contentType }: Answer, request: ReceivedRequest): boolean {
  return isChat(request) && status === 200 && contentType.startsWith('application/json');
}

export function isModelList({ status }: Answer, { url }: ReceivedRequest): boolean {
  return status === 200 && url === `/v1${ENDPOINTS.models}`;
}

export function isStream({ status, contentType }: Answer): boolean {
  return status === 200 && contentType.startsWith('text/event-stream');
}

/** The code of an error; undefined for any other answer. */
export function codeOf({ status, body }: Answer): unknown {
  return status < 400 ? undefined : itemsOf(JSON.parse(body))['code'];
}

/** The items of an error, wherever the world puts them. */
function itemsOf(body: Members): Members {
  const { error } = body;
  return isObject(error) ? error : body;
}

const END = '\n\n';
const DATA = 'data: ';

export function eventsOf(body: string): readonly string[] {
  return body.split(END).filter((event) => event !== '');
}

export function joinEvents(events: readonly string[]): string {
  return events.map((event) => event + END).join('');
}

/** The JSON of an event; undefined for the one that ends the stream. */
function chunkOf(event: string): Members | undefined {
  const data = event.slice(event.indexOf(DATA) + DATA.length);
  if (!data.startsWith('{')) return undefined;
  const chunk: Members = JSON.parse(data);
  return chunk;
}
