import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { CHECKS, INVARIANTS } from '../../../suites/catalogue.ts';
import { sizeOf } from '../../cli/options/check-table.ts';
import { callCommand, COMMAND } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');

interface Ready {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** Runs a printed `npx --no -- chat-conformance mock …` on a free port, without npm in between. */
async function serve(command: string): Promise<Ready> {
  const run = command.replace('npx --no -- chat-conformance', 'exec "$NODE" "$COMMAND"');
  const mock = spawn('sh', ['-c', run.replace('8080', '0')], {
    env: { ...process.env, NODE: process.execPath, COMMAND },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    const ended = once(mock, 'close');
    mock.kill();
    await ended;
  });
  const [line = '']: string[] = await once(createInterface({ input: mock.stdout }), 'line');
  return JSON.parse(line);
}

test('begins with the one command for a fresh machine', () => {
  const [, first] = /```\n([^]*?)```/.exec(readme) ?? [];
  expect(first).toBe('npm ci && npm run conformance\n');
});

test('names as many checks, and the caps of each tier, as there are', () => {
  expect(readme).toContain(`\n${CHECKS.length + INVARIANTS.length} checks: `);
  const [smoke, full, exhaustive] = (['smoke', 'full', 'exhaustive'] as const).map(
    (tier) => sizeOf(tier, 'live').caps,
  );
  expect(readme.replaceAll(/\s+/g, ' ')).toContain(
    `at most ${smoke?.requests} requests and ${smoke?.completions} completions, of ${smoke?.outputTokens} output tokens`,
  );
  expect(readme).toContain(`at most ${full?.requests} requests and ${full?.completions} completions`);
  expect(readme).toContain(`\`--tier exhaustive\`: ${exhaustive?.requests} and ${exhaustive?.completions}`);
});

/** An empty folder after `npm install openai@7.23.0`. */
async function folderOfClient(): Promise<string> {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(root, 'node_modules', 'tested-client'), join(folder, 'node_modules', 'openai'));
  return folder;
}

test('prints a client program that runs unchanged', async () => {
  const [, program = ''] = /```js\n([^]*?)```/.exec(readme) ?? [];
  const mock = await openMock();
  const folder = await folderOfClient();
  await writeFile(join(folder, 'client.mjs'), program);
  const env = { ...process.env, CHAT_BASE_URL: mock.url };
  const { stdout } = await promisify(execFile)(process.execPath, ['client.mjs'], { cwd: folder, env });
  expect(stdout).toMatch(/prompt_tokens/);
  expect(stdout.trim().split('\n').at(-1)).toMatch(/^400 unknown_field req_[0-9a-f]+$/);
});

test('prints a mock command whose fault happens', async () => {
  const [command = ''] = /^npx .* mock .*--fault.*$/m.exec(readme) ?? [];
  const { url, keys } = await serve(command);
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${keys['primary']}`, 'content-type': 'application/json' },
    body: '{"model":"compact-1","messages":[{"role":"user","content":"Hello!"}]}',
  };
  const lost = await fetch(`${url}/chat/completions`, request);
  expect([lost.status, lost.headers.get('content-type')]).toEqual([502, 'text/html']);
  const { requests }: { requests: object[] } = JSON.parse(
    await (await fetch(`${url.replace('/v1', '/control')}/requests`)).text(),
  );
  expect(requests).toEqual([expect.objectContaining({ state: 'succeeded', debit: expect.any(Number) })]);
});

test('checks a live service step by step, and sends no more than it says', async () => {
  const [, section = ''] = /## Against a live service\n([^]*?)\n## /.exec(readme) ?? [];
  const steps = [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, step = '']) => step);
  expect(steps).toHaveLength(5);
  const mock = await openMock();
  const folder = temporaryFolder();
  const key = { CHAT_API_KEY: mock.keys['primary'] ?? '' };
  const spent: number[] = [];
  const codes: (number | null)[] = [];
  for (const step of steps) {
    const commands = step.replaceAll('https://staging.example/v1', mock.url).trim().split('\n');
    for (const command of commands) {
      const [, words = ''] = /^ *npx --no -- chat-conformance (.*)$/.exec(command) ?? [];
      codes.push((await callCommand(words.split(' '), key, folder)).code);
    }
    spent.push(mock.workspace.entries().length);
  }
  // Refusals alone leave the second incomplete.
  expect(codes).toEqual([0, 3, 0, 0, 0, 0, 0]);
  const [plan = 0, free = 0, smoke = 0, full = 0] = spent;
  expect([plan, free]).toEqual([0, 0]);
  // On a busy machine it takes up to four more streams to see how they arrive.
  expect(smoke).toBeLessThanOrEqual(18 + 4);
  expect(full - smoke).toBeLessThanOrEqual(45);
  expect(await readdir(join(folder, 'out', 'full'))).toEqual(
    expect.arrayContaining(['journal.ndjson', 'junit.xml', 'report.html', 'report.json', 'summary.md']),
  );
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['profile.json', 'known.json']));
});
