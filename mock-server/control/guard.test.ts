import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { guard, requireToken } from './guard.ts';

function message(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

test.each(['127.0.0.1:80', '127.9.9.9', 'localhost:8080', 'LOCALHOST', '[::1]:80'])(
  'lets %s control without a token',
  (host) => {
    expect(() => guard(message({ host }), undefined)).not.toThrow();
  },
);

test.each([
  [{ host: 'evil.example' }, 'foreign_host'],
  [{ host: '127.0.0.1.evil.example:80' }, 'foreign_host'],
  [{}, 'foreign_host'],
  [{ host: '127.0.0.1', origin: 'http://127.0.0.1:81' }, 'foreign_origin'],
  [{ host: '127.0.0.1:80', origin: 'http://localhost:80' }, 'foreign_origin'],
  [{ host: '127.0.0.1:80', origin: 'https://127.0.0.1:80' }, 'foreign_origin'],
  [{ host: '127.0.0.1:80', origin: 'null' }, 'foreign_origin'],
  [{ host: 'evil.example:80', origin: 'http://evil.example:80' }, 'foreign_host'],
  [{ host: '127.0.0.1:80', 'sec-fetch-site': 'same-site' }, 'foreign_origin'],
  [{ host: '127.0.0.1:80', 'sec-fetch-site': 'cross-site' }, 'foreign_origin'],
])('refuses %j without a token', (headers, code) => {
  const refusal = expect.objectContaining({ status: 403, code });
  expect(() => guard(message({ ...headers }), undefined)).toThrow(refusal);
});

test('asks for the token where there is one, and then for nothing else', () => {
  const bearing = (authorization: string) => (): void =>
    guard(message({ host: 'ci.example', authorization }), 't0ken');
  expect(bearing('Bearer t0ken')).not.toThrow();
  for (const wrong of ['', 'Bearer', 'Bearer t0ke', 'Bearer t0kens', 'Basic t0ken']) {
    expect(bearing(wrong)).toThrow(expect.objectContaining({ status: 401 }));
  }
});

test.each(['0.0.0.0', '::', '192.168.0.1', 'localhost.evil.example', ''])(
  'needs a token of 16 characters on %s',
  (host) => {
    expect(() => requireToken(host, undefined)).toThrow('needs a token');
    for (const token of ['t', 'fifteen-letters', ' '.repeat(16), 'sixteen or so, but with blanks'])
      expect(() => requireToken(host, token)).toThrow(/must not be empty|of 16 characters or more/);
    expect(() => requireToken(host, 'sixteen-letters!\n')).not.toThrow();
  },
);

test('needs none on a loopback address, and takes no empty one', () => {
  for (const host of ['127.0.0.1', '::1', 'localhost'])
    expect(() => requireToken(host, undefined)).not.toThrow();
  expect(() => requireToken('127.0.0.1', 't')).not.toThrow();
  for (const none of ['', '  ']) expect(() => requireToken('127.0.0.1', none)).toThrow('must not be empty');
});
