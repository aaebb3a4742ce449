import type { DefectName } from '../../mock-server/defects/defects.ts';

/**
 * The defects of the second service that are, to whoever looks for the bug, one of the mock's: the same mistake at the
 * same place, though in other code. The others are like none, and none may be called their likely cause.
 */
export const LIKE_DEFECTS: Readonly<Record<string, readonly DefectName[]>> = {
  'token-limit-inside-streams': ['refusals-streamed', 'stream-begun-before-validation'],
  'assistant-may-say-null': ['content-null-of-assistant-allowed'],
  'history-uncounted': ['input-counted-by-last-message'],
  'model-called-constructor-fails': ['unknown-model-fails'],
  'fields-in-camel-case-too': ['field-case-ignored'],
  'flags-are-integers': ['temperature-flag-coerced'],
  'text-cut-is-withheld': ['content-absent', 'content-null'],
  'request-ids-wrap-around': ['request-id-by-the-second', 'one-request-id-for-all'],
  'models-on-pages': ['other-keys-models-served'],
  'vision-is-of-the-key': ['vision-by-model-name', 'image-dropped-for-blind-model'],
  'key-vouches-for-its-address': ['no-key-needed', 'chat-without-key'],
  'input-tokens-run-on': ['usage-estimated'],
  'rate-limited-chats-reserve': ['reservation-kept-after-refusal'],
  'review-ends-with-the-next-chat': ['uncertain-request-released'],
};
