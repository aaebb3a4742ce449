import { ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import type { DefectHooks, RewrittenAnswer } from '../../chat/defect-hooks.ts';
import type { Answer, ReceivedRequest } from '../../protocol/answer.ts';
import { type Change, changeAt, inObjects, isObject, type Members, type Place } from '../../protocol/json.ts';
import { isChat, perService } from './requests.ts';

export type OnResponse = Required<Pick<DefectHooks, 'onResponse'>>;

export function rewriteAnswers(
  includes: (answer: Answer, request: ReceivedRequest) => boolean,
  rewrite: (answer: Answer, request: ReceivedRequest) => RewrittenAnswer,
): OnResponse {
  return {
    onResponse: (answer, request) => (includes(answer, request) ? rewrite(answer, request) : answer),
  };
}

/** Sends the first body of each key in all answers that have it; undefined: it is not kept. */
export function keepFirst(
  keyOf: (answer: Answer, request: ReceivedRequest) => string | undefined,
): OnResponse {
  const bodies = perService(() => new Map<string, string>());
  return {
    onResponse: (answer, request, service) => {
      const key = keyOf(answer, request);
      if (key === undefined) return answer;
      const body = bodies(service).get(key) ?? answer.body;
      bodies(service).set(key, body);
      return { ...answer, body };
    },
  };
}

export function rewriteErrors(
  rewrite: (answer: Answer, request: ReceivedRequest) => RewrittenAnswer,
): OnResponse {
  return rewriteAnswers((answer) => codeOf(answer) !== undefined, rewrite);
}

export function rewriteErrorItems(
  rewrite: (items: Members, request: ReceivedRequest) => unknown,
): OnResponse {
  return rewriteErrors((answer, request) =>
    withJson(answer, (body) => {
      const items = rewrite(itemsOf(body), request);
      return isObject(body['error']) ? { ...body, error: items } : items;
    }),
  );
}

export function rewriteCompletion(rewrite: (body: Members) => unknown): OnResponse {
  return rewriteAnswers(isCompletion, (answer) => withJson(answer, rewrite));
}

/** Rewrites whole completions, and each chunk of a stream. */
export function rewriteBodies(rewrite: (body: Members, request: ReceivedRequest) => unknown): OnResponse {
  return {
    onResponse: (answer, request) => {
      if (isCompletion(answer, request)) return withJson(answer, (body) => rewrite(body, request));
      if (!isStream(answer)) return answer;
      const body = answer.body.replaceAll(CHUNK, (chunk) =>
        JSON.stringify(rewrite(JSON.parse(chunk), request)),
      );
      return { ...answer, body };
    },
  };
}

/** Rewrites what a path of a completion, or of a chunk, leads to. */
export function rewriteAt(path: string): (rewrite: Change) => OnResponse {
  return (rewrite) => rewriteBodies((body) => changeAt(body, path, rewrite));
}

export function rewriteUsage(rewrite: (usage: Members) => unknown): OnResponse {
  return rewriteAt('usage')(inObjects(rewrite));
}

/** Rewrites each record of the list of models. */
export function rewriteRecords(rewrite: (record: Members, place: Place) => unknown): OnResponse {
  return rewriteAnswers(isModelList, (answer) =>
    withJson(answer, (body) => changeAt(body, 'data.*', inObjects(rewrite))),
  );
}

/** Rewrites the bytes of a stream, one character for each. */
export function rewriteStream(rewrite: (body: string) => string): OnResponse {
  return rewriteAnswers(isStream, (answer) => ({ ...answer, body: rewrite(answer.body) }));
}

/** Rewrites the events of a stream; an event is its text without the empty line that ends it. */
export function rewriteEvents(rewrite: (events: readonly string[]) => readonly string[]): OnResponse {
  return rewriteStream((body) =>
    rewrite(eventsOf(body))
      .map((event) => event + END)
      .join(''),
  );
}

/** An answer with another body: text, one character a byte. */
export function withText(answer: Answer, contentType: string, body: string): RewrittenAnswer {
  return { ...answer, contentType, body };
}

function withJson(answer: Answer, change: (body: Members) => unknown): RewrittenAnswer {
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
export function itemsOf(body: Members): Members {
  const { error } = body;
  return isObject(error) ? error : body;
}

const END = '\n\n';
const CHUNK = /(?<=^data: )\{.*/gm;

export function eventsOf(body: string): readonly string[] {
  return body.split(END).filter((event) => event !== '');
}
