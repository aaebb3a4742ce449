import * as keyRequired from './authentication/key-required.ts';
import * as scopeRequired from './authentication/scope-required.ts';
import * as chatsServed from './chat-request/chats-served.ts';
import * as fieldsRefused from './chat-request/fields-refused.ts';
import * as numericBounds from './chat-request/numeric-bounds.ts';
import * as responsesApiAbsent from './chat-request/responses-api-absent.ts';
import * as choicesReturned from './chat-response/choices-returned.ts';
import * as finishAndUsageReturned from './chat-response/finish-and-usage-returned.ts';
import * as outputWithinMaxTokens from './chat-response/output-within-max-tokens.ts';
import * as textGenerated from './chat-response/text-generated.ts';
import * as completionsDebited from './credits/completions-debited.ts';
import * as refusalCostsNothing from './credits/refusal-costs-nothing.ts';
import type { Check } from './engine/model/check.ts';
import * as armedLosses from './errors/armed-losses.ts';
import * as armedRefusals from './errors/armed-refusals.ts';
import * as errorConditions from './errors/error-conditions.ts';
import * as oddRequestsSurvived from './errors/odd-requests-survived.ts';
import * as rateLimitError from './errors/rate-limit-error.ts';
import * as freshKeyServed from './idempotency/fresh-key-served.ts';
import * as keysObserved from './idempotency/keys-observed.ts';
import * as contextDiffersByModel from './limits/context-differs-by-model.ts';
import * as growingInputLimited from './limits/growing-input-limited.ts';
import * as inputAndOutputTogether from './limits/input-and-output-together.ts';
import * as inputLimited from './limits/input-limited.ts';
import * as limitsShown from './limits/limits-shown.ts';
import * as requestedOutputLimited from './limits/requested-output-limited.ts';
import * as imagesRefused from './messages/images-refused.ts';
import * as shapesObserved from './messages/shapes-observed.ts';
import * as wrongMessagesRefused from './messages/wrong-messages-refused.ts';
import * as listedModelsServed from './models/listed-models-served.ts';
import * as modelsListed from './models/models-listed.ts';
import * as modelsRefused from './models/models-refused.ts';
import * as refusalIsNoStream from './streaming/refusal-is-no-stream.ts';
import * as streamFinishAndUsage from './streaming/stream-finish-and-usage.ts';
import * as streamIsBuffered from './streaming/stream-is-buffered.ts';
import * as wellFormedStream from './streaming/well-formed-stream.ts';
import * as clientChecks from './versioning/client-checks.ts';
import * as versionInPath from './versioning/version-in-path.ts';
import * as visionCapabilities from './vision/vision-capabilities.ts';

/** The files of checks, section by section in the order of the specification: every check that one of them exports counts. */
const FILES: readonly object[] = [
  // models
  listedModelsServed,
  modelsListed,
  modelsRefused,
  // chat-request
  chatsServed,
  numericBounds,
  responsesApiAbsent,
  fieldsRefused,
  // messages
  imagesRefused,
  shapesObserved,
  wrongMessagesRefused,
  // chat-response
  choicesReturned,
  finishAndUsageReturned,
  outputWithinMaxTokens,
  textGenerated,
  // vision
  visionCapabilities,
  // streaming
  refusalIsNoStream,
  streamFinishAndUsage,
  streamIsBuffered,
  wellFormedStream,
  // idempotency
  freshKeyServed,
  keysObserved,
  // authentication
  keyRequired,
  scopeRequired,
  // errors
  armedRefusals,
  errorConditions,
  armedLosses,
  oddRequestsSurvived,
  rateLimitError,
  // limits
  contextDiffersByModel,
  growingInputLimited,
  inputAndOutputTogether,
  inputLimited,
  limitsShown,
  requestedOutputLimited,
  // credits
  refusalCostsNothing,
  completionsDebited,
  // versioning
  clientChecks,
  versionInPath,
];

export const CHECKS: readonly Check[] = FILES.flatMap((file) =>
  // In an order of ours: that of a module's exports depends on who loads it.
  Object.values(file)
    .filter(isCheck)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
);

function isCheck(exported: unknown): exported is Check {
  return typeof exported === 'object' && exported !== null && 'given' in exported && 'holds' in exported;
}
