import {
  lostAnswerIsUncertain,
  noAutomaticRetry,
  notSentAgainUnchecked,
  requestReduced,
} from './caller/after-failures.ts';
import { concurrencyReduced } from './caller/concurrency-reduced.ts';
import { detailsKept, freshKeyPerRequest, keyRetained } from './caller/idempotency-keys.ts';
import type { CallerCheck } from './caller/judge-caller.ts';
import { nonJsonSurvived } from './caller/non-json-survived.ts';
import {
  fiveFieldsOnly,
  keyOnServerSide,
  listedModelsOnly,
  versionInBaseAddress,
  visionAskedFirst,
} from './caller/requests-sent.ts';
import { waits120Seconds } from './caller/waits-120-seconds.ts';

/** Every check of callers, in the order of the specification's clauses. */
export const CALLER_CHECKS: readonly CallerCheck[] = [
  visionAskedFirst,
  freshKeyPerRequest,
  keyRetained,
  keyOnServerSide,
  concurrencyReduced,
  notSentAgainUnchecked,
  lostAnswerIsUncertain,
  requestReduced,
  fiveFieldsOnly,
  listedModelsOnly,
  waits120Seconds,
  noAutomaticRetry,
  versionInBaseAddress,
  nonJsonSurvived,
  detailsKept,
];
