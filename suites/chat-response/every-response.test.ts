import { expect, test } from 'vitest';
import type { Invariant } from '../engine/model/check.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { everyChoiceCarriesText, everyResponseHasChoices } from './choices-returned.ts';
import { everyResponseReportsUsage, everyResponseSaysFinish } from './finish-and-usage.ts';
import { everyOutputWithinMaxTokens } from './output-within-max-tokens.ts';

const CHOICE = { message: { content: 'Hi.' }, finish_reason: 'stop' };
const USAGE = { prompt_tokens: 1, completion_tokens: 2 };
const WHOLE = { choices: [CHOICE], usage: USAGE };

/** The ruling of an invariant on a response of a model that a run uses little. */
function kind(invariant: Invariant, body: object, options: object = {}): string | undefined {
  const chat = { model: 'sharp', messages: [{ role: 'user', content: 'Hi.' }], ...options };
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'key' };
  return invariant.judge(infoForTest())(answered({ body }, chat, { headers }))?.kind;
}

test.each([
  [everyResponseHasChoices, { ...WHOLE, choices: [] }],
  [everyResponseHasChoices, { data: WHOLE }],
  [everyChoiceCarriesText, { ...WHOLE, choices: [{ ...CHOICE, message: { content: null } }] }],
  [everyResponseSaysFinish, { ...WHOLE, choices: [{ ...CHOICE, finish_reason: null }] }],
  [everyResponseReportsUsage, { choices: [CHOICE] }],
])('$id: holds of a whole response, and not of a broken one', (invariant, broken) => {
  expect(kind(invariant, WHOLE)).toBe('holds');
  expect(kind(invariant, broken)).toBe('violated');
  expect(kind(invariant, broken, { n: 1 })).toBeUndefined();
});

test('every-output-within-max-tokens: judges chats with max_tokens', () => {
  expect(kind(everyOutputWithinMaxTokens, WHOLE, { max_tokens: 2 })).toBe('holds');
  expect(kind(everyOutputWithinMaxTokens, WHOLE, { max_tokens: 1 })).toBe('violated');
  expect(kind(everyOutputWithinMaxTokens, WHOLE)).toBeUndefined();
});
