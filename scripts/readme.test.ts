import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../mock-server/start-mock.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

test('prints a client program that runs as it stands', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, program = ''] = /```js\n([^]*?)```/.exec(readme) ?? [];
  const mock = await startMock();
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  onTestFinished(async () => {
    await mock.close();
    await rm(folder, { recursive: true });
  });
  await writeFile(join(folder, 'client.mjs'), program);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, CHAT_BASE_URL: mock.url };
  const { stdout } = await promisify(execFile)(process.execPath, ['client.mjs'], { cwd: folder, env });
  expect(stdout).toMatch(/prompt_tokens/);
  expect(stdout.trim().split('\n').at(-1)).toMatch(/^400 unknown_field req_[0-9a-f]+$/);
});
