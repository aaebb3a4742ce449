import type { CallerCheck } from './caller/caller-check.ts';
import { concurrencyReduced } from './caller/concurrency-reduced.ts';
import { detailsKept } from './caller/details-kept.ts';
import { fiveFieldsOnly } from './caller/five-fields-only.ts';
import { freshKeyPerRequest } from './caller/fresh-key-per-request.ts';
import { keyOnServerSide } from './caller/key-on-server-side.ts';
import { keyRetained } from './caller/key-retained.ts';
import { listedModelsOnly } from './caller/listed-models-only.ts';
import { lostAnswerIsUncertain } from './caller/lost-answer-is-uncertain.ts';
import { noAutomaticRetry } from './caller/no-automatic-retry.ts';
import { nonJsonSurvived } from './caller/non-json-survived.ts';
import { notSentAgainUnchecked } from './caller/not-sent-again-unchecked.ts';
import { requestReduced } from './caller/request-reduced.ts';
import { versionInBaseAddress } from './caller/version-in-base-address.ts';
import { visionAskedFirst } from './caller/vision-asked-first.ts';
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
