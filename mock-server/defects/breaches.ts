import type { DefectName } from './defects.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import { CREDIT_BREACHES } from './credit-breaches.ts';
import { ENDPOINT_BREACHES } from './endpoint-breaches.ts';
import { ERROR_BREACHES } from './error-breaches.ts';
import { KEY_BREACHES } from './key-breaches.ts';
import { LIMIT_BREACHES } from './limit-breaches.ts';
import { MESSAGE_BREACHES } from './message-breaches.ts';
import { MODEL_BREACHES } from './model-breaches.ts';
import { OPEN_BREACHES } from './open-breaches.ts';
import { FIELD_BREACHES } from './field-breaches.ts';
import { TYPE_BREACHES } from './type-breaches.ts';
import { CHAT_BREACHES } from './chat-breaches.ts';
import { RESPONSE_BREACHES } from './response-breaches.ts';
import { SOME_BREACHES } from './some-breaches.ts';
import { STREAMING_BREACHES } from './streaming-breaches.ts';

/** How a service with each of these defects behaves: a breach for every life of a sandbox, since it may remember. */
export type Breaches<Defects> = Readonly<Record<keyof Defects, () => DefectHooks>>;

export const BREACHES: Readonly<Record<DefectName, () => DefectHooks>> = {
  ...MODEL_BREACHES,
  ...CHAT_BREACHES,
  ...FIELD_BREACHES,
  ...TYPE_BREACHES,
  ...MESSAGE_BREACHES,
  ...RESPONSE_BREACHES,
  ...STREAMING_BREACHES,
  ...SOME_BREACHES,
  ...ENDPOINT_BREACHES,
  ...KEY_BREACHES,
  ...ERROR_BREACHES,
  ...LIMIT_BREACHES,
  ...CREDIT_BREACHES,
  ...OPEN_BREACHES,
};
