import { expect, test } from 'vitest';
import { chatDraft } from '../provoking/chat-drafts.ts';
import { Allowance } from './allowance.ts';

const GET = { method: 'GET', path: '/models' } as const;
const chat = (max_tokens?: number) => chatDraft({ model: 'm', messages: [], max_tokens });

test('admits what was declared, and nothing more', () => {
  const allowance = new Allowance({ reads: 1, refused: 1, served: 1 }, 16);
  for (const draft of [GET, chat(16), chat(1)]) allowance.take(draft);
  expect(() => allowance.take(GET)).toThrow('it sends a request more than its declared cost');
  expect(() => allowance.take(chat(1))).toThrow('a chat more');
});

test('refuses a chat with unbounded output, unless it was declared', () => {
  const take = (open: number, max_tokens?: number) => () =>
    new Allowance({ served: 1, open }, 16).take(chat(max_tokens));
  for (const asked of [undefined, 17, 2e9]) expect(take(0, asked)).toThrow('a chat with unbounded output');
  for (const asked of [undefined, 17, 2e9]) expect(take(1, asked)).not.toThrow();
  expect(() => new Allowance({ served: 1, outputTokens: 64 }, 16).take(chat(64))).not.toThrow();
});

test('admits a counterpart only when it was declared', () => {
  const allowance = new Allowance({ counterparts: [chat(16)] }, 16);
  expect(() => allowance.takeCounterpart(chat(16))).not.toThrow();
  expect(() => allowance.takeCounterpart(chat(15))).toThrow('a counterpart');
});

test('throws again on close when the first error was caught', () => {
  const allowance = new Allowance({}, 16);
  expect(() => allowance.close()).not.toThrow();
  expect(() => allowance.take(GET)).toThrow('more than its declared cost');
  expect(() => allowance.close()).toThrow('more than its declared cost');
});
