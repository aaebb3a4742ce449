import { expect, test } from 'vitest';
import type { Answer } from '../model/exchange.ts';
import { answered, answeredGet } from '../test-support/exchange.ts';
import { answerOf, isSuccess, isQuotaStatus, endpointOf, sentChat, readOnce } from './answers.ts';

test('returns the answer, and throws, naming the exchange and why, given none', () => {
  expect(answerOf(answered({ status: 204 })).status).toBe(204);
  const outcome = { kind: 'not-sent', reason: 'no budget' } as const;
  const message = 'exchange chats/1/0 has no answer to judge: no budget';
  expect(() => answerOf({ ...answered(), id: 'chats/1/0', outcome })).toThrow(new TypeError(message));
});

test('knows the statuses of success, and those whose reasons lie elsewhere', () => {
  const statuses = [100, 199, 200, 201, 299, 300, 400, 401, 402, 403, 404, 422, 429, 500];
  expect(statuses.filter((status) => isSuccess({ status }))).toEqual([200, 201, 299]);
  expect(statuses.filter(isQuotaStatus)).toEqual([402, 429]);
});

test.each([
  [answered(), 'chat'],
  [answeredGet('/models'), 'models'],
  [answeredGet('/vision-capabilities'), 'vision'],
  [answeredGet('/chat/completions'), undefined],
  [answered({}, {}, { path: '/models' }), undefined],
  [answeredGet('/models', {}, { method: 'DELETE' }), undefined],
  [answeredGet('/models/'), undefined],
])('returns the endpoint of %j: %s', ({ request }, endpoint) => {
  expect(endpointOf(request)).toBe(endpoint);
});

test.each([
  [answered({}, { model: 'm', stream: true }), { model: 'm', stream: true }],
  [answered({}, '{"model":"m"} \r\n\t'), { model: 'm' }],
  [answeredGet('/models'), undefined],
  [answered({}, '{"model":'), undefined],
  [answered({}, '[1]'), undefined],
  [answered({}, 'null'), undefined],
])('returns the object that was sent, the same each time: %j', ({ request }, chat) => {
  expect(sentChat(request)).toEqual(chat);
  expect(sentChat(request)).toBe(sentChat(request));
});

test('reads once for each answer and context, also when the reading is undefined', () => {
  const seen: object[] = [];
  const read = readOnce<Answer, object, undefined>((_, context) => void seen.push(context));
  const [answer, one, other] = [answerOf(answered()), {}, {}];
  for (const context of [one, one, other, other]) read(answer, context);
  expect(seen).toEqual([one, other]);
});
