import { expect, test } from 'vitest';
import type { Draft } from '../model/exchange.ts';
import { SERVED, senderForTest } from '../test-support/rulings.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { fitUsable } from './fit-usable.ts';

const INFO = infoForTest({ models: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }, { id: 'e' }] });
const error = (code: string) => ({ error: { code, message: 'No.', request_id: 'r' } });
const REFUSED = { status: 404, body: error('unknown_model') };
const UNAVAILABLE = { status: 503, body: error('model_unavailable') };

const modelOf = ({ body }: Draft) => String(/"model":"(\w+)"/.exec(String(body))?.[1]);

/** The models in their new order, a mark behind those that cannot be used, and how many chats were sent. */
async function fitted(unusable: string, answer: object = REFUSED, info = INFO) {
  let sent = 0;
  const sender = senderForTest((draft) => {
    sent += 1;
    return unusable.includes(modelOf(draft)) ? answer : SERVED;
  });
  const { models } = await fitUsable(info, sender);
  return [models.map(({ id, unusable: mark }) => id + (mark ? '!' : '')).join(''), sent];
}

test('stays with the first model given that it is served', async () => {
  expect(await fitted('')).toEqual(['abcde', 1]);
});

test.each([
  ['refused', REFUSED],
  ['unavailable', UNAVAILABLE],
])('puts the first model first that is not %s', async (_, answer) => {
  expect(await fitted('a', answer)).toEqual(['ba!cde', 3]);
  expect(await fitted('ab', answer)).toEqual(['ca!b!de', 5]);
});

test('stays with the first model given that none of the first four can be used', async () => {
  expect(await fitted('abcde')).toEqual(['abcde', 8]);
});

test('stays with the first model given an answer that says nothing of it', async () => {
  expect(await fitted('a', { status: 429, body: error('rate_limit') })).toEqual(['abcde', 1]);
});

test('stays with the model of the profile', async () => {
  expect(await fitted('a', REFUSED, { ...INFO, profile: { model: 'a' } })).toEqual(['abcde', 0]);
});
