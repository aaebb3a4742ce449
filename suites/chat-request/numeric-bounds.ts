import { smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import {
  isServedOrRefused,
  observedChats,
  type OpenQuestion,
} from '../engine/inputs/provoking/observed-chats.ts';
import { check } from '../engine/model/check.ts';
import type { TargetInfo } from '../engine/model/target.ts';

const TEMPERATURES = ['-0.1', '0', '1', '1.5', '2', '2.1'] as const;
const MAX_TOKENS = ['-1', '0', '1'] as const;

function bounds(info: TargetInfo): readonly OpenQuestion[] {
  const counterpart = smallestChat(info);
  return [
    ...TEMPERATURES.map((value) => ({
      point: `bounds.temperature.${value}` as const,
      chat: { ...counterpart, temperature: Number(value) },
      counterpart,
    })),
    ...MAX_TOKENS.map((value) => ({
      point: `bounds.max_tokens.${value}` as const,
      chat: { ...counterpart, max_tokens: Number(value) },
      counterpart,
    })),
  ];
}

export const numericBounds = check({
  id: 'numeric-bounds',
  clauses: ['REQ-8'],
  title: 'serves or refuses boundary values of temperature and max_tokens',
  given: observedChats({ name: 'numeric-bounds', questions: bounds }),
  holds: isServedOrRefused,
});
