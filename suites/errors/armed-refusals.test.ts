import { expect, test } from 'vitest';
import { answered, type AnswerForTest, eventStream } from '../engine/test-support/exchange.ts';
import { REFUSED, ruled, SERVED } from '../engine/test-support/rulings.ts';
import { armedRateLimitError, type ArmedRefusalTrial } from './armed-refusals.ts';

const STREAMED = eventStream({ error: { code: 'rate_limit', message: 'No.', request_id: 'r-1' } });

test.each<[AnswerForTest, string, Partial<ArmedRefusalTrial>?]>([
  [REFUSED, 'holds'],
  [{ ...REFUSED, status: 503 }, 'holds'],
  [{ status: 503, body: '<html>Unavailable</html>' }, 'holds'],
  [SERVED, 'served'],
  [{ status: 400, body: 'Too many.' }, 'no-error-object'],
  [{ status: 429, body: '["slow down"]' }, 'no-error-object'],
  [{ status: 503, body: '[false]' }, 'no-error-object'],
  [STREAMED, 'not-exercised'],
  [SERVED, 'inconclusive', { fired: 0 }],
  [{ body: 'Hm.' }, 'inconclusive'],
])('armed-rate-limit-error: given %j, %s', (answer, expected, more) => {
  const armed = { fault: 'rate_limit', fired: 1, counterpart: answered(SERVED) } as const;
  const ruling = ruled(armedRateLimitError, { ...armed, exchanges: [answered(answer)], ...more });
  expect(ruling.kind === 'violated' ? ruling.finding.code : ruling.kind).toBe(expected);
});
