import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { invocation } from './own-package.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('names the path below node_modules by which the command was called, from the same folder', () => {
  vi.stubEnv('npm_lifecycle_event', undefined);
  vi.stubEnv('_', '/usr/bin/node');
  expect(invocation()).toBe('chat-conformance');
  vi.stubEnv('_', resolve('node_modules/.bin/chat-conformance'));
  expect(invocation()).toBe('node_modules/.bin/chat-conformance');
});
