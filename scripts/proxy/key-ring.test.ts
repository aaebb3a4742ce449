import { expect, test } from 'vitest';
import { KeyRing, shownHeaders, shownAddress } from './key-ring.ts';

const KEY = 'sk-0123456789abcdef';

test('learns the key of a request, and takes it out of texts, addresses and headers', () => {
  const ring = new KeyRing();
  expect(ring.learn(['Authorization', `Bearer ${KEY}`])).toBe(true);
  const { redactor } = ring;
  expect(redactor.text(`say ${KEY}`)).toBe('say [key:primary]');
  expect(shownAddress(`/v1/models?api_key=other&x=${KEY}`, redactor)).toBe(
    '/v1/models?api_key=[withheld]&x=[key:primary]',
  );
  const headers = ['Authorization', `Bearer ${KEY}`, 'Cookie', 'a=b', 'X-App', KEY, 'Idempotency-Key', 'k-1'];
  expect(shownHeaders(headers, redactor)).toEqual({
    cookie: '[withheld]',
    'x-app': '[key:primary]',
    'idempotency-key': 'k-1',
  });
});

test('tells callers apart by their keys', () => {
  const ring = new KeyRing();
  ring.learn(['authorization', `Bearer ${KEY}`]);
  ring.learn(['authorization', 'Bearer another-key-1']);
  expect(ring.nameOf(['authorization', `bearer ${KEY}`])).toBe('primary');
  expect(ring.nameOf(['authorization', 'Bearer another-key-1'])).toBe('key2');
  expect(ring.nameOf([])).toBeUndefined();
});

test('says so when a key is longer than what it can look for', () => {
  const learned = [4096, 4097].map((length) =>
    new KeyRing().learn(['authorization', `Bearer ${'k'.repeat(length)}`]),
  );
  expect(learned).toEqual([true, false]);
});

test('says so when there are more keys than it can look for', () => {
  const ring = new KeyRing();
  const learned = Array.from({ length: 33 }, (_, i) =>
    ring.learn(['authorization', `Bearer many-keys-${i}-${i}`]),
  );
  expect(learned.lastIndexOf(true)).toBe(31);
  expect(ring.learn(['authorization', 'Bearer many-keys-0-0'])).toBe(true);
});
