import type { JsonValue } from '../../../fixtures/chats/chat.ts';

/** A count of credits, tokens or anything else; that one should not be negative is for judgements to say. */
export const isWholeNumber = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value);
