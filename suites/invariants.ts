import { everyResponseIsNormal } from './chat-request/every-response-is-normal.ts';
import {
  everyChoiceCarriesText,
  everyOutputWithinMaxTokens,
  everyResponseHasChoices,
  everyResponseReportsUsage,
  everyResponseSaysFinish,
} from './chat-response/every-response.ts';
import type { Invariant } from './kit/model/invariant.ts';
import {
  everyStreamIsEventStream,
  everyStreamIsWhole,
  everyStreamReportsUsage,
  everyStreamSaysFinish,
} from './streaming/every-stream.ts';
import { noRefusalInStream } from './streaming/no-refusal-in-stream.ts';
import { errorObject } from './errors/error-object.ts';
import { jsonContentType } from './errors/json-content-type.ts';
import { neverFails } from './errors/never-fails.ts';
import { noKeyEchoed } from './errors/no-key-echoed.ts';
import { requestIdUnique } from './errors/request-id-unique.ts';
import { statusClasses } from './errors/status-classes.ts';
import { refusalUtf8, responseUtf8, streamUtf8 } from './errors/valid-utf8.ts';

/** What bears on every exchange, whatever provoked it. */
export const INVARIANTS: readonly Invariant[] = [
  errorObject,
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
  jsonContentType,
  neverFails,
  noKeyEchoed,
  noRefusalInStream,
  requestIdUnique,
  statusClasses,
  refusalUtf8,
  responseUtf8,
  streamUtf8,
];
