import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { DefectHooks, RewrittenAnswer } from '../exchange/defect-hooks.ts';
import { changing, type Fields, isFields } from './fields.ts';
import { isChat } from './misreads.ts';

export function isCompletion({ status, contentType }: Answer, request: ReceivedRequest): boolean {
  return isChat(request) && status === 200 && contentType.startsWith('application/json');
}

export function isStream({ status, contentType }: Answer): boolean {
  return status === 200 && contentType.startsWith('text/event-stream');
}

/** The code of an answer that is a refusal; undefined for any other. */
export function codeOf({ status, body }: Answer): unknown {
  return status < 400 ? undefined : itemsOf(JSON.parse(body))['code'];
}

/** The three items of an error, wherever the world puts them. */
function itemsOf(body: Fields): Fields {
  const { error } = body;
  return isFields(error) ? error : body;
}

/** Says something else in place of such answers. */
export function misspells(
  when: (answer: Answer, request: ReceivedRequest) => boolean,
  say: (answer: Answer, request: ReceivedRequest) => RewrittenAnswer,
): DefectHooks {
  return { onResponse: (answer, request) => (when(answer, request) ? say(answer, request) : answer) };
}

/** An answer with another body: text, one character a byte. */
export function withText(answer: Answer, contentType: string, body: string): RewrittenAnswer {
  return { ...answer, contentType, body };
}

/** An answer whose JSON is as `change` makes it. */
export function withJson(answer: Answer, change: (body: Fields) => unknown): RewrittenAnswer {
  const body: Fields = JSON.parse(answer.body);
  return { ...answer, body: JSON.stringify(change(body)) };
}

/** Says something else in place of refusals, of these codes where there are any. */
export function misspellsErrors(
  codes: readonly string[],
  say: (answer: Answer, request: ReceivedRequest) => RewrittenAnswer,
): DefectHooks {
  return misspells((answer) => {
    const code = codeOf(answer);
    return typeof code === 'string' && (codes.length === 0 || codes.includes(code));
  }, say);
}

/** Spells the items of an error in another way. */
export function misspellsItems(
  codes: readonly string[],
  change: (items: Fields, answer: Answer, request: ReceivedRequest) => unknown,
): DefectHooks {
  return misspellsErrors(codes, (answer, request) =>
    withJson(answer, (body) => {
      const items = change(itemsOf(body), answer, request);
      return isFields(body['error']) ? { ...body, error: items } : items;
    }),
  );
}

/** Spells a whole response to a chat in another way. */
export function misspellsCompletions(
  change: (body: Fields, request: ReceivedRequest) => unknown,
): DefectHooks {
  return misspells(isCompletion, (answer, request) => withJson(answer, (body) => change(body, request)));
}

/** Spells every choice of a response in another way. */
export function misspellsChoices(change: (choice: Fields, request: ReceivedRequest) => unknown): DefectHooks {
  return misspellsCompletions((body, request) => changingChoices(body, (choice) => change(choice, request)));
}

/** Spells the message of every choice in another way. */
export function misspellsMessages(
  change: (message: Fields, request: ReceivedRequest) => unknown,
): DefectHooks {
  return misspellsChoices((choice, request) =>
    changing(choice, 'message', (message) => (isFields(message) ? change(message, request) : message)),
  );
}

/** With each choice, of a response or of a chunk, as `change` makes it. */
export function changingChoices(body: Fields, change: (choice: Fields) => unknown): Fields {
  return changing(body, 'choices', (choices) =>
    Array.isArray(choices)
      ? choices.map((choice: unknown) => (isFields(choice) ? change(choice) : choice))
      : choices,
  );
}
