import * as keysRefused from './authentication/keys-refused.ts';
import * as chatsServed from './chat-request/chats-served.ts';
import * as fieldsRefused from './chat-request/fields-refused.ts';
import * as outputWithinMaxTokens from './chat-response/output-within-max-tokens.ts';
import * as responseParts from './chat-response/response-parts.ts';
import * as textGenerated from './chat-response/text-generated.ts';
import * as usagePossible from './chat-response/usage-possible.ts';
import * as completionsDebited from './credits/completions-debited.ts';
import * as refusalCostsNothing from './credits/refusal-costs-nothing.ts';
import { everyServedChat } from './engine/inputs/judging/served-chat-invariant.ts';
import { type check, type Invariant, judgesIn } from './engine/model/check.ts';
import * as armedLosses from './errors/armed-losses.ts';
import * as armedRefusals from './errors/armed-refusals.ts';
import * as errorConditions from './errors/error-conditions.ts';
import * as errorObject from './errors/error-object.ts';
import * as everyAnswer from './errors/every-answer.ts';
import * as oddRequestsSurvived from './errors/odd-requests-survived.ts';
import * as requestIds from './errors/request-ids.ts';
import * as keysUsed from './idempotency/keys-used.ts';
import * as contextSizes from './limits/context-sizes.ts';
import * as growingInput from './limits/growing-input.ts';
import * as integerEdges from './limits/integer-edges.ts';
import * as limitsShown from './limits/limits-shown.ts';
import * as tokenLimits from './limits/token-limits.ts';
import * as images from './messages/images.ts';
import * as messageShapes from './messages/message-shapes.ts';
import * as calledModels from './models/called-models.ts';
import * as modelsListed from './models/models-listed.ts';
import * as refusalIsNoStream from './streaming/refusal-is-no-stream.ts';
import * as streamIsBuffered from './streaming/stream-is-buffered.ts';
import * as wellFormedStream from './streaming/well-formed-stream.ts';
import * as clientChecks from './versioning/client-checks.ts';
import * as versionInPath from './versioning/version-in-path.ts';
import * as visionCapabilities from './vision/vision-capabilities.ts';

/** The files of checks, a line for each section in the order of the specification: what one of them exports counts. */
const SECTIONS: readonly (readonly Record<string, unknown>[])[] = [
  [calledModels, modelsListed],
  [chatsServed, fieldsRefused],
  [images, messageShapes],
  [outputWithinMaxTokens, responseParts, textGenerated, usagePossible],
  [visionCapabilities],
  [refusalIsNoStream, streamIsBuffered, wellFormedStream],
  [keysUsed],
  [keysRefused],
  [armedLosses, armedRefusals, errorConditions, errorObject, everyAnswer, oddRequestsSurvived, requestIds],
  [contextSizes, growingInput, integerEdges, limitsShown, tokenLimits],
  [completionsDebited, refusalCostsNothing],
  [clientChecks, versionInPath],
];

export const CHECKS = judgesIn<ReturnType<typeof check>>(SECTIONS.flat(), 'holds');

/** The judgements of every exchange, whatever provoked it. */
export const INVARIANTS: readonly Invariant[] = [
  ...judgesIn<Invariant>(SECTIONS.flat(), 'judge'),
  ...CHECKS.flatMap(({ everywhere, ...each }) =>
    everywhere === undefined ? [] : everyServedChat(everywhere, each),
  ),
];
