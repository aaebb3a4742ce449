import { ERROR_VARIANTS } from './error-variants.ts';
import { MODEL_VARIANTS } from './model-variants.ts';
import { REQUEST_VARIANTS } from './request-variants.ts';
import { RESPONSE_VARIANTS } from './response-variants.ts';
import { STREAM_VARIANTS } from './stream-variants.ts';
import type { Variants } from './variant.ts';

/** Every variant, by a name that says what the service does. */
export const VARIANTS: Variants = {
  ...REQUEST_VARIANTS,
  ...MODEL_VARIANTS,
  ...RESPONSE_VARIANTS,
  ...STREAM_VARIANTS,
  ...ERROR_VARIANTS,
};
