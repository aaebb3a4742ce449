import type { Subject } from '../rules/subject.ts';

/** What is said in a chat that rules look at. */
export const SENT = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Is it cold in Oslo?' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: [{ text: 'And the weather' }, {}, { text: 'in Rome?' }] },
  ],
};

/** A request of which all is known. */
export const SUBJECT: Subject = {
  requestId: 'r',
  headers: { 'x-team': 'blue', 'set-cookie': ['a', 'b'] },
  idempotencyKey: 'i',
  endpoint: 'chat',
  key: 'primary',
  model: 'compact-1',
  stream: false,
  sent: SENT,
};
