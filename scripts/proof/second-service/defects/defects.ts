import type { Amiss } from './amiss.ts';
import { ANSWER_DEFECTS } from './answer-defects.ts';
import { BOOKS_DEFECTS } from './books-defects.ts';
import { CHAT_DEFECTS } from './chat-defects.ts';
import { MODEL_DEFECTS } from './model-defects.ts';

const ALL = { ...MODEL_DEFECTS, ...CHAT_DEFECTS, ...ANSWER_DEFECTS, ...BOOKS_DEFECTS };

export type SecondDefectName = keyof typeof ALL;

/** Ways in which the second service gets the specification wrong, by name. */
export const SECOND_DEFECTS: Readonly<Record<SecondDefectName, Amiss>> = ALL;
