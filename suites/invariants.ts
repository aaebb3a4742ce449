import { everyResponseIsNormal } from './chat-request/chats-served.ts';
import { everyChoiceCarriesText, everyResponseHasChoices } from './chat-response/choices-returned.ts';
import {
  everyResponseReportsUsage,
  everyResponseSaysFinish,
} from './chat-response/finish-and-usage-returned.ts';
import { everyOutputWithinMaxTokens } from './chat-response/output-within-max-tokens.ts';
import { usageNotAlwaysZero } from './chat-response/usage-not-always-zero.ts';
import type { Invariant } from './engine/model/check.ts';
import {
  declaredCoding,
  jsonContentType,
  refusalUtf8,
  responseUtf8,
  streamUtf8,
} from './errors/answer-encoding.ts';
import { noKeyEchoed, neverFails, statusClasses } from './errors/answer-invariants.ts';
import { errorObject, frontErrorObject } from './errors/error-object.ts';
import { requestIdDiffers, requestIdUnique } from './errors/request-ids.ts';
import { someResponseIsWhole, someStreamIsWhole } from './errors/some-answer-is-whole.ts';
import { noRefusalInStream } from './streaming/refusal-is-no-stream.ts';
import { everyStreamReportsUsage, everyStreamSaysFinish } from './streaming/stream-finish-and-usage.ts';
import { everyStreamIsEventStream, everyStreamIsWhole } from './streaming/well-formed-stream.ts';

/** The judgements of every exchange, whatever provoked it. */
export const INVARIANTS: readonly Invariant[] = [
  errorObject,
  frontErrorObject,
  everyChoiceCarriesText,
  everyOutputWithinMaxTokens,
  everyResponseHasChoices,
  everyResponseIsNormal,
  everyResponseReportsUsage,
  everyResponseSaysFinish,
  everyStreamIsEventStream,
  everyStreamIsWhole,
  everyStreamReportsUsage,
  everyStreamSaysFinish,
  declaredCoding,
  jsonContentType,
  neverFails,
  noKeyEchoed,
  noRefusalInStream,
  requestIdDiffers,
  requestIdUnique,
  someResponseIsWhole,
  someStreamIsWhole,
  statusClasses,
  refusalUtf8,
  responseUtf8,
  streamUtf8,
  usageNotAlwaysZero,
];
