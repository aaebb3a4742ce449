import { answerOf } from '../kit/reading/answers.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { readJson } from '../kit/reading/json.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';

/** Objects and arrays only: a bare `3` may as well be text. */
export const jsonContentType: Invariant = {
  id: 'json-content-type',
  clauses: ['VER-2'],
  title: 'says of every JSON body that it is JSON',
  because: 'the tested client, like most, reads a body as JSON only when its content type says so',
  level: 'convention',
  judge: () => (exchange) => {
    const answer = answerOf(exchange);
    const body = readJson(answer);
    if (body.kind === 'no-json' || typeof body.value !== 'object' || body.value === null) return undefined;
    const type = answer.headers['content-type'];
    if (/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? '')) return HOLDS;
    return violated('json-untold', 'application/json', type ?? 'no content type', 'content-type');
  },
};
