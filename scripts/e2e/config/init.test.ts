import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from '../service/project.ts';
import { resultOf } from '../support/command.ts';

test('writes a configuration that holds as it stands, and keeps it', async () => {
  const { folder, command, write } = makeProject();
  expect((await resultOf(command('init'))).stdout).toContain('wrote chat-conformance.config.ts');
  expect((await resultOf(command('--show-config'))).stdout).toMatch(
    /^baseUrl +http:\/\/127\.0\.0\.1:8080\/v1 +chat-conformance\.config\.ts#\/targets\/local\/baseUrl\n(?:.*\n)*tier +full /m,
  );
  write('chat-conformance.config.ts', '// mine');
  expect((await resultOf(command('init'))).stdout).toBe('chat-conformance.config.ts is there already\n');
  expect(readFileSync(join(folder, 'chat-conformance.config.ts'), 'utf8')).toBe('// mine');
});
