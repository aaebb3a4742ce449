import { expect, test } from 'vitest';
import { sentRequest } from './sent-request.ts';

test.each(['/models', '/models?limit=2&of=../x', '/models/a%20b/', '/responses/resp_0'])(
  'takes %s for a path below the base URL',
  (path) => {
    expect(sentRequest({ method: 'GET', path }).path).toBe(path);
  },
);

test.each([
  // They leave the base URL.
  '@other.example/x',
  'x',
  '//other.example/x',
  // A server may read them as another path.
  '/../admin',
  '/a/%2e%2E/../b',
  '/%2e%2e/admin',
  '/a\r\nX-Other: 1',
  '/a#/../b',
])('refuses a draft of %j', (path) => {
  expect(() => sentRequest({ method: 'GET', path })).toThrow('no path below a base URL');
});

test.each(['Host', 'authorization', 'Proxy-Authorization', 'connection', 'Transfer-Encoding'])(
  'refuses a draft with a header %s',
  (name) => {
    const draft = { method: 'GET', path: '/models', headers: { [name]: 'x' } } as const;
    expect(() => sentRequest(draft)).toThrow(`the sender sets the header ${name}: a draft cannot`);
  },
);
