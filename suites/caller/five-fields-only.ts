import { HOLDS, notExercised, type Ruling } from '../kit/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { violatedBy } from './rulings.ts';
import { chatOf, chatsAtService } from './seen-chats.ts';
import type { Timeline } from './timeline.ts';

const FIELDS = ['model', 'messages', 'temperature', 'max_tokens', 'stream'];

function judge(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline).filter((request) => chatOf(request) !== undefined);
  for (const request of chats) {
    const extra = Object.keys(chatOf(request) ?? {}).filter((name) => !FIELDS.includes(name));
    if (extra.length > 0)
      return violatedBy(timeline, request, 'extra-field', `only ${FIELDS.join(', ')}`, extra.join(', '));
  }
  return chats.length === 0 ? notExercised('no completion was asked for in JSON') : HOLDS;
}

export const fiveFieldsOnly: CallerCheck = {
  id: 'five-fields-only',
  clauses: ['CALL-4'],
  title: 'sends the five fields of the specification and no parameter of another provider',
  judge,
};
