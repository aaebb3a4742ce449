import { HEADERS } from '../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../fixtures/clauses/open-points.ts';
import { observeHeaders } from '../engine/inputs/judging/observations.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { modelListings } from '../engine/inputs/provoking/listed-models.ts';
import { rateLimitBurst } from '../engine/inputs/provoking/rate-limit-burst.ts';
import { check } from '../engine/model/check.ts';
import { notExercised, observed } from '../engine/model/ruling.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { contextTokensOf } from '../engine/reading/models/model-record.ts';
import { readListing } from '../engine/reading/models/read-models.ts';
import { isRateLimited } from '../engine/sending/rate-limit-error.ts';

export const contextSizesShown = check({
  id: 'context-sizes-shown',
  clauses: ['LIM-5'],
  title: 'may list the context size of each model',
  given: modelListings,
  holds: ({ exchanges: [exchange] }, info) => {
    // The list of another key is a different list, not a different value.
    const { credential } = exchange.request;
    const isPrimarys = credential.kind === 'key' && credential.name === 'primary';
    if (!isPrimarys) return notExercised('this is the list of another key');
    const reading = readListing(answerOf(exchange), info);
    if (reading.kind !== 'models') return notExercised('no list of models was recognised: see MOD-1');
    const sizes = reading.list.entries.flatMap(({ id, record }) => {
      const size = contextTokensOf(record);
      return id === undefined || size === undefined ? [] : [[id, size] as const];
    });
    return observed({
      point: 'limits.context_tokens' satisfies OpenPointName,
      value: Object.fromEntries(sizes),
    });
  },
});

export const limitHeadersShown = check({
  id: 'limit-headers-shown',
  clauses: ['LIM-5'],
  title: 'may report its limits in response headers',
  given: acceptedChats,
  holds: observeHeaders('limits.headers', /rate-?limit|quota|limit-/),
});

export const retryAfterShown = check({
  id: 'retry-after-shown',
  clauses: ['LIM-5'],
  title: 'may say in a rate limit error how long to wait',
  given: rateLimitBurst,
  holds: ({ exchanges: [exchange] }) => {
    if (!isRateLimited(exchange.outcome))
      return notExercised('the simultaneous requests got no rate limit error');
    return observed({
      point: 'limits.retry_after' satisfies OpenPointName,
      value: answerOf(exchange).headers[HEADERS.retryAfter] ?? null,
    });
  },
});
