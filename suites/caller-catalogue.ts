import { concurrencyReduced } from './caller/concurrency-reduced.ts';
import { detailsKept, freshKeyPerRequest, keyRetained } from './caller/idempotency-keys.ts';
import type { CallerCheck } from './caller/judge-caller.ts';
import { listedModelsOnly, visionAskedFirst } from './caller/models-read-first.ts';
import { noAutomaticRetry } from './caller/no-automatic-retry.ts';
import { nonJsonSurvived } from './caller/non-json-survived.ts';
import { requestReduced } from './caller/request-reduced.ts';
import { fiveFieldsOnly, keyOnServerSide, versionInBaseAddress } from './caller/requests-sent.ts';
import { lostAnswerIsUncertain, notSentAgainUnchecked } from './caller/uncertain-outcomes.ts';
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
