import { expect, test } from 'vitest';
import { resolveControl } from './control-of.ts';

const baseUrl = 'http://127.0.0.1:1/v1';

test('returns the URL without a slash at its end, and the token', () => {
  const flags = { baseUrl, controlUrl: 'https://staging.example/control/' };
  expect(resolveControl(flags, {})).toEqual({ url: 'https://staging.example/control' });
  expect(resolveControl(flags, { CHAT_CONTROL_TOKEN: ' control-t0ken ' })).toEqual({
    url: 'https://staging.example/control',
    token: 'control-t0ken',
  });
});

test('returns nothing without a URL, whatever the token', () => {
  expect(resolveControl({ baseUrl }, { CHAT_CONTROL_TOKEN: 'control-t0ken' })).toBeUndefined();
});

test.each([
  ['control', 'is not a URL'],
  ['ftp://host.example/control', 'must begin with http:// or https://'],
  ['https://host.example/control?token=hunter2', 'query'],
  ['https://host.example/control#x', 'fragment'],
  ['https://me:hunter2@host.example/control', 'credentials'],
])('refuses %s', (controlUrl, message) => {
  expect(() => resolveControl({ baseUrl, controlUrl }, {})).toThrow(message);
  expect(() => resolveControl({ baseUrl, controlUrl }, {})).not.toThrow('hunter2');
});

test('refuses a URL without a target, and a token that no header can carry', () => {
  const controlUrl = 'https://host.example/control';
  expect(() => resolveControl({ controlUrl }, {})).toThrow('needs --base-url');
  const flags = { baseUrl, controlUrl };
  expect(() => resolveControl(flags, { CHAT_CONTROL_TOKEN: 'a b' })).toThrow(
    'CHAT_CONTROL_TOKEN must hold one key',
  );
});
