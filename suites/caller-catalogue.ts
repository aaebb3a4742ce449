import { clauseIds } from '../fixtures/clauses/clauses.ts';
import * as afterFailures from './caller/after-failures.ts';
import * as reducing from './caller/concurrency-reduced.ts';
import * as keys from './caller/idempotency-keys.ts';
import type { CallerCheck } from './caller/judge-caller.ts';
import * as surviving from './caller/non-json-survived.ts';
import * as requestsSent from './caller/requests-sent.ts';
import * as waiting from './caller/waits-120-seconds.ts';
import { judgesIn } from './engine/model/check.ts';

const FILES = [requestsSent, keys, reducing, afterFailures, waiting, surviving];

const placeOf = ({ clauses: [first] }: CallerCheck): number => clauseIds().indexOf(first);

/** Every check of callers, in the order of the specification's clauses. */
export const CALLER_CHECKS = judgesIn<CallerCheck>(FILES, 'judge').toSorted(
  (one, other) => placeOf(one) - placeOf(other),
);
