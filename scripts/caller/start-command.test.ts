import { expect, test } from 'vitest';
import type { CallerInputs } from './caller-inputs.ts';
import { startCommand } from './start-command.ts';

const inputs: CallerInputs = {
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKey: 'k',
  otherBaseUrl: 'http://127.0.0.1:1/v1',
  otherApiKey: 'k',
  controlUrl: 'http://127.0.0.1:1/control',
  model: 'm-1',
  timeoutMs: 1000,
  task: { version: 1, scenario: 'none', atOnce: 1, wishes: [] },
  record: 'none',
};

test.each([
  ['an argument longer than the system takes', 'true', ['x'.repeat(4_000_000)], 'cannot start "true": E2BIG'],
  ['a name that no program can have', 'a\0b', [], /^cannot start/],
  ['a name that no program has', './none', [], 'cannot start "./none": no such program'],
])('says that a command cannot be started given %s', async (_, program, args, message) => {
  const { signal } = new AbortController();
  const names = { baseUrl: [], apiKey: [], model: [] };
  const start = startCommand({ program, args, deadlineMs: 1000, names, signal });
  await expect(start(inputs)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(message),
  });
});
