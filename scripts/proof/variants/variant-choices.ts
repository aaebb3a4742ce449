import type { VariantName } from './sentences/variants.ts';
import type { Choices } from '../second-service/choices.ts';
import {
  ELSEWHERE_CHOICES,
  ERROR_CODE_CHOICES,
  ERROR_SHAPE_CHOICES,
  REQUEST_ID_CHOICES,
  STATUS_CHOICES,
} from './error-choices.ts';
import {
  CONTEXT_CHOICES,
  MODEL_FACT_CHOICES,
  MODEL_LIST_CHOICES,
  MODEL_NUMBER_CHOICES,
  VISION_CHOICES,
} from './model-choices.ts';
import {
  BODY_CHOICES,
  BOUND_CHOICES,
  COMPRESSION_CHOICES,
  HEADER_CHOICES,
  IMAGE_PART_CHOICES,
  MESSAGE_RULE_CHOICES,
  REPEAT_CHOICES,
} from './request-choices.ts';
import {
  COMPLETION_CHOICES,
  FINISH_REASON_CHOICES,
  JSON_TEXT_CHOICES,
  TEXT_CHOICES,
  TOKEN_COUNT_CHOICES,
  USAGE_CHOICES,
} from './response-choices.ts';
import {
  DELIVERY_CHOICES,
  PACE_CHOICES,
  STREAM_END_CHOICES,
  STREAM_EVENT_CHOICES,
  STREAM_FRAME_CHOICES,
} from './stream-choices.ts';

/** How the second service becomes each variant: the variants of different points choose different things. */
export const VARIANT_CHOICES: Readonly<Record<VariantName, Partial<Choices>>> = {
  ...BOUND_CHOICES,
  ...MESSAGE_RULE_CHOICES,
  ...IMAGE_PART_CHOICES,
  ...BODY_CHOICES,
  ...FINISH_REASON_CHOICES,
  ...USAGE_CHOICES,
  ...COMPLETION_CHOICES,
  ...TEXT_CHOICES,
  ...TOKEN_COUNT_CHOICES,
  ...JSON_TEXT_CHOICES,
  ...MODEL_LIST_CHOICES,
  ...MODEL_FACT_CHOICES,
  ...MODEL_NUMBER_CHOICES,
  ...CONTEXT_CHOICES,
  ...VISION_CHOICES,
  ...STREAM_EVENT_CHOICES,
  ...STREAM_FRAME_CHOICES,
  ...STREAM_END_CHOICES,
  ...DELIVERY_CHOICES,
  ...PACE_CHOICES,
  ...REPEAT_CHOICES,
  ...ERROR_SHAPE_CHOICES,
  ...ERROR_CODE_CHOICES,
  ...REQUEST_ID_CHOICES,
  ...STATUS_CHOICES,
  ...ELSEWHERE_CHOICES,
  ...HEADER_CHOICES,
  ...COMPRESSION_CHOICES,
};
