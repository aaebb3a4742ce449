import { AUTHENTICATION_DEFECTS } from './authentication-defects.ts';
import { CHAT_DEFECTS } from './chat-defects.ts';
import { CREDIT_DEFECTS } from './credit-defects.ts';
import { ENDPOINT_DEFECTS } from './endpoint-defects.ts';
import { ERROR_DEFECTS } from './error-defects.ts';
import { FIELD_DEFECTS } from './field-defects.ts';
import type { Defect } from './kit/defect.ts';
import { LIMIT_DEFECTS } from './limit-defects.ts';
import { MESSAGE_DEFECTS } from './message-defects.ts';
import { MODEL_DEFECTS } from './model-defects.ts';
import { OPEN_POINT_DEFECTS } from './open-point-defects.ts';
import { RESPONSE_DEFECTS } from './response-defects.ts';
import { STREAMING_DEFECTS } from './streaming-defects.ts';
import { TYPE_DEFECTS } from './type-defects.ts';

/** Every known way to break the specification that the mock can show and the suites must notice, by its name. */
export const DEFECTS: ReadonlyMap<string, Defect> = new Map(
  Object.entries({
    ...MODEL_DEFECTS,
    ...CHAT_DEFECTS,
    ...FIELD_DEFECTS,
    ...TYPE_DEFECTS,
    ...MESSAGE_DEFECTS,
    ...RESPONSE_DEFECTS,
    ...STREAMING_DEFECTS,
    ...ENDPOINT_DEFECTS,
    ...AUTHENTICATION_DEFECTS,
    ...ERROR_DEFECTS,
    ...LIMIT_DEFECTS,
    ...CREDIT_DEFECTS,
    ...OPEN_POINT_DEFECTS,
  }),
);
