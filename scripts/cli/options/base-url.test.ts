import { expect, test } from 'vitest';
import { baseUrlOf } from './base-url.ts';

test('returns the base URL without its last slash given one that ends in /v1', () => {
  expect(baseUrlOf('http://127.0.0.1:8080/v1')).toBe('http://127.0.0.1:8080/v1');
  expect(baseUrlOf('https://host.example/chat/v1/')).toBe('https://host.example/chat/v1');
});

test.each([
  ['host.example', 'is not a URL'],
  ['ftp://host.example/v1', 'must begin with http:// or https://'],
  ['https://host.example', 'did you mean https://host.example/v1?'],
  ['https://host.example/v1/models', 'must end in the version segment'],
  ['https://host.example/xv1', 'must end in the version segment'],
  ['https://host.example/v1?key=1', 'query or a fragment'],
])('throws given %s', (text, message) => {
  expect(() => baseUrlOf(text)).toThrow(message);
});

test('throws without naming the password given a URL with credentials', () => {
  expect(() => baseUrlOf('https://me:hunter2@host.example/v1')).toThrow(/^(?!.*hunter2).*credentials/);
});
