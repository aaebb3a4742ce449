import type { Draft } from '../../engine/model/exchange.ts';
import type { AnswerForTest } from '../../engine/test-support/exchange.ts';

/** What shows in a body that it is refused for a plain reason, and what a service says of it. */
const REFUSALS = [
  [/^\{"model":$/, 'invalid_json', 'The body is not JSON.'],
  [/"no-such-model"/, 'unknown_model', 'No such model.'],
  [/"unheard_of"/, 'unknown_field', 'No such field.'],
] as const;

/** The answer to a chat that is refused for a plain reason; undefined for other chats. */
export function plainRefusal({ body }: Draft): AnswerForTest | undefined {
  const found = REFUSALS.find(([shows]) => shows.test(String(body)));
  if (found === undefined) return undefined;
  const [, code, message] = found;
  return { status: 400, body: { error: { code, message, request_id: 'r' } } };
}
