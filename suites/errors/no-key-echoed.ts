import type { Answer } from '../kit/model/exchange.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';
import { answerOf } from '../kit/reading/answers.ts';

/** The sender puts this in place of each key, in any encoding, before anything is recorded. */
const MARKER = /\[key:(\w+)\]/;

/** Only whole keys leave the marker, not the near misses that other checks send. */
export const noKeyEchoed: Invariant = {
  id: 'no-key-echoed',
  clauses: ['AUTH-1'],
  title: 'never repeats an API key in an answer',
  because: 'a key is a secret, and answers end up in logs and error reports',
  level: 'convention',
  judge: () => (exchange) => {
    const answer = answerOf(exchange);
    const place = echoIn(answer);
    return place === undefined
      ? HOLDS
      : violated('key-echoed', 'an answer without the API key', `the key in ${place}`, place);
  },
};

function echoIn({ headers, body }: Answer): string | undefined {
  // Stryker disable next-line StringLiteral: neither fallback holds anything that is looked for
  for (const name in headers) if (MARKER.test(headers[name] ?? '')) return name;
  // Searching for the bytes first saves decoding nearly every body.
  // Stryker disable next-line ConditionalExpression,StringLiteral: saves decoding bodies that cannot contain the marker
  if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('[key:')) return undefined;
  return MARKER.test(Buffer.from(body).toString('latin1')) ? 'the body' : undefined;
}
