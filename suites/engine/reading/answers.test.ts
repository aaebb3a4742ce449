import { expect, test } from 'vitest';
import type { Answer } from '../model/exchange.ts';
import { answered, answeredGet } from '../test-support/exchange.ts';
import { answerOf, isSuccess, isQuotaStatus, endpointOf, sentChat, readOnce } from './answers.ts';

test('returns the answer, and throws, naming the exchange and why, given none', () => {
  expect(answerOf(answered({ status: 204 })).status).toBe(204);
  const unsent = {
    ...answered(),
    id: 'chats/1/0',
    outcome: { kind: 'not-sent', reason: 'no budget' },
  } as const;
  expect(() => answerOf(unsent)).toThrow(
    new TypeError('exchange chats/1/0 has no answer to judge: no budget'),
  );
});

test.each([200, 201, 299])('status %i is one of success', (status) => {
  expect(isSuccess({ status })).toBe(true);
});

test.each([100, 199, 300, 404, 500])('status %i is no success', (status) => {
  expect(isSuccess({ status })).toBe(false);
});

test('takes no credit and too many requests for reasons that lie elsewhere, and no other refusal', () => {
  expect([400, 401, 402, 403, 404, 422, 429, 500].filter(isQuotaStatus)).toEqual([402, 429]);
});

test('returns the endpoint given its own path and method', () => {
  const requests = [answered(), answeredGet('/models'), answeredGet('/vision-capabilities')];
  expect(requests.map(({ request }) => endpointOf(request))).toEqual(['chat', 'models', 'vision']);
});

test('returns undefined given another method or another path', () => {
  const requests = [
    answeredGet('/chat/completions'),
    answered({}, {}, { path: '/models' }),
    answeredGet('/models', {}, { method: 'DELETE' }),
    answeredGet('/models/'),
  ];
  expect(requests.map(({ request }) => endpointOf(request))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('returns the object that was sent, the same each time', () => {
  const { request } = answered({}, { model: 'm', stream: true });
  const chat = sentChat(request);
  expect(chat).toEqual({ model: 'm', stream: true });
  expect(sentChat(request)).toBe(chat);
});

test('returns undefined given no body, no JSON, and JSON that is no object', () => {
  const sent = [answeredGet('/models'), answered({}, '{"model":'), answered({}, '[1]'), answered({}, 'null')];
  expect(sent.map(({ request }) => sentChat(request))).toEqual(sent.map(() => undefined));
});

test('reads an object with white space after it', () => {
  const { request } = answered({}, '{"model":"m"} \r\n\t');
  expect(sentChat(request)).toEqual({ model: 'm' });
});

test('reads once given the same answer and context again, also when the reading is undefined', () => {
  let reads = 0;
  const read = readOnce<Answer, object, undefined>(() => void reads++);
  const [answer, context] = [answerOf(answered()), {}];
  read(answer, context);
  read(answer, context);
  expect(reads).toBe(1);
});

test('reads again given another context', () => {
  const read = readOnce((_, { name }: { name: string }) => name);
  const answer = answerOf(answered());
  expect([read(answer, { name: 'a' }), read(answer, { name: 'b' })]).toEqual(['a', 'b']);
});
