import { expect, test } from 'vitest';
import { answered, answeredGet } from '../test-support/exchange.ts';
import { sentChat } from './sent-chat.ts';

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
