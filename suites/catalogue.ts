import { keyInAddressRefused, missingKeyRefused, wrongKeyRefused } from './authentication/key-required.ts';
import { scopeRequired, missingScopeObserved } from './authentication/scope-required.ts';
import { chatServed, rolesServed, optionsServed, normalResponse } from './chat-request/chats-served.ts';
import { numericBounds } from './chat-request/numeric-bounds.ts';
import { responsesApiAbsent } from './chat-request/responses-api-absent.ts';
import {
  toolCallsRefused,
  knownParameterRefused,
  unheardOfFieldRefused,
} from './chat-request/unknown-fields-refused.ts';
import {
  wrongModelRefused,
  wrongMessagesRefused,
  wrongTemperatureRefused,
  wrongMaxTokensRefused,
  wrongStreamRefused,
} from './chat-request/wrong-types-refused.ts';
import { choicesCarryText, responseHasChoices } from './chat-response/choices-returned.ts';
import {
  finishReasonReturned,
  usageReturned,
  responseNames,
} from './chat-response/finish-and-usage-returned.ts';
import { outputWithinMaxTokens, outputWithinOneToken } from './chat-response/output-within-max-tokens.ts';
import { streamedTextGenerated, textGenerated } from './chat-response/text-generated.ts';
import { refusalCostsNothing } from './credits/refusal-costs-nothing.ts';
import { successIsDebited } from './credits/success-is-debited.ts';
import { usageAgreesWithDebit } from './credits/usage-agrees-with-debit.ts';
import type { Check } from './engine/model/check.ts';
import { armedRateLimitError, failureStatus, unavailabilityIsError } from './errors/armed-refusals.ts';
import { errorCodesObserved, errorPlacesObserved } from './errors/error-conditions.ts';
import { gatewayFailureIsNoSuccess } from './errors/gateway-failure-is-no-success.ts';
import {
  everyScriptSurvived,
  malformedBodiesSurvived,
  oddChatsSurvived,
} from './errors/odd-requests-survived.ts';
import { rateLimitError, rateLimitObserved } from './errors/rate-limit-error.ts';
import { uncertainStaysUnderReview } from './errors/uncertain-stays-under-review.ts';
import { freshKeyServed } from './idempotency/fresh-key-served.ts';
import { keyUsesObserved } from './idempotency/keys-observed.ts';
import { contextDiffersByModel, largeContextDiffersByModel } from './limits/context-differs-by-model.ts';
import { growingInputAndOutputTogether, growingInputLimited } from './limits/growing-input-limited.ts';
import { inputAndOutputTogether, largeInputAndOutputTogether } from './limits/input-and-output-together.ts';
import { inputLimited } from './limits/input-limited.ts';
import { contextSizesShown, limitHeadersShown, retryAfterShown } from './limits/limits-shown.ts';
import { requestedOutputLimited } from './limits/requested-output-limited.ts';
import { blindModelsRefuseImages, misplacedImagesRefused } from './messages/images-refused.ts';
import { imageShapesObserved, textPartsObserved, messageShapesObserved } from './messages/shapes-observed.ts';
import { wrongRoleRefused, wrongContentRefused } from './messages/wrong-messages-refused.ts';
import {
  listedModelsAvailable,
  listedModelsReturnChoices,
  listedModelsServed,
} from './models/listed-models-served.ts';
import { modelIdsCanBeRead, modelRecordNames, modelsCanBeListed } from './models/models-listed.ts';
import { otherKeysModelsRefused } from './models/other-keys-models-refused.ts';
import { unlistedModelsRefused, unlistedModelIsError } from './models/unlisted-models-refused.ts';
import { refusalIsNoStream } from './streaming/refusal-is-no-stream.ts';
import {
  streamFinishReasonReturned,
  streamUsageReturned,
  streamFraming,
} from './streaming/stream-finish-and-usage.ts';
import { streamIsBuffered } from './streaming/stream-is-buffered.ts';
import { streamIsEventStream, streamIsWhole } from './streaming/well-formed-stream.ts';
import {
  clientCompletes,
  clientListsModels,
  clientRaisesTypedError,
  clientReadsErrorCode,
  clientReadsErrorItems,
  clientReadsFinishReason,
  clientStreams,
} from './versioning/client-checks.ts';
import { versionInPath, versionHeadersShown } from './versioning/version-in-path.ts';
import { visionAnswersGet, visionCanBeAsked, visionShape } from './vision/vision-capabilities.ts';

/** Every check, section by section in the order of the specification. */
export const CHECKS: readonly Check[] = [
  // models
  listedModelsServed,
  listedModelsAvailable,
  listedModelsReturnChoices,
  modelIdsCanBeRead,
  modelRecordNames,
  modelsCanBeListed,
  otherKeysModelsRefused,
  unlistedModelsRefused,
  unlistedModelIsError,
  // chat-request
  chatServed,
  rolesServed,
  optionsServed,
  normalResponse,
  numericBounds,
  responsesApiAbsent,
  toolCallsRefused,
  knownParameterRefused,
  unheardOfFieldRefused,
  wrongModelRefused,
  wrongMessagesRefused,
  wrongTemperatureRefused,
  wrongMaxTokensRefused,
  wrongStreamRefused,
  // messages
  blindModelsRefuseImages,
  imageShapesObserved,
  textPartsObserved,
  messageShapesObserved,
  misplacedImagesRefused,
  wrongRoleRefused,
  wrongContentRefused,
  // chat-response
  choicesCarryText,
  textGenerated,
  streamedTextGenerated,
  finishReasonReturned,
  outputWithinMaxTokens,
  outputWithinOneToken,
  responseHasChoices,
  responseNames,
  usageReturned,
  // vision
  visionAnswersGet,
  visionCanBeAsked,
  visionShape,
  // streaming
  refusalIsNoStream,
  streamFinishReasonReturned,
  streamFraming,
  streamIsBuffered,
  streamIsEventStream,
  streamIsWhole,
  streamUsageReturned,
  // idempotency
  freshKeyServed,
  keyUsesObserved,
  // authentication
  missingKeyRefused,
  wrongKeyRefused,
  keyInAddressRefused,
  scopeRequired,
  missingScopeObserved,
  // errors
  armedRateLimitError,
  errorCodesObserved,
  errorPlacesObserved,
  everyScriptSurvived,
  failureStatus,
  gatewayFailureIsNoSuccess,
  malformedBodiesSurvived,
  oddChatsSurvived,
  rateLimitError,
  rateLimitObserved,
  unavailabilityIsError,
  uncertainStaysUnderReview,
  // limits
  contextDiffersByModel,
  largeContextDiffersByModel,
  growingInputLimited,
  growingInputAndOutputTogether,
  inputAndOutputTogether,
  largeInputAndOutputTogether,
  inputLimited,
  contextSizesShown,
  limitHeadersShown,
  retryAfterShown,
  requestedOutputLimited,
  // credits
  refusalCostsNothing,
  successIsDebited,
  usageAgreesWithDebit,
  // versioning
  clientCompletes,
  clientListsModels,
  clientRaisesTypedError,
  clientReadsErrorCode,
  clientReadsErrorItems,
  clientReadsFinishReason,
  clientStreams,
  versionInPath,
  versionHeadersShown,
];
