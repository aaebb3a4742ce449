import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { isAlive } from '../service/project.ts';
import { callCommand, listeningCommand, resultOf, runCommand, spawnCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const started = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  listeningCommand(['mock', '--port', '0', ...args], environment);

const chat = ({
  url,
  keys,
}: Pick<Awaited<ReturnType<typeof started>>['ready'], 'url' | 'keys'>): Promise<Response> =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys['primary']}`, 'content-type': 'application/json' },
    body: '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}',
  });

test.each(['SIGTERM', 'SIGINT'] as const)(
  'prints one ready line, drains on %s, and exits 0',
  async (signal) => {
    const { child, end, ready } = await started(['--seed', '9', '--latency', '100']);
    expect([ready.seed, ready.pid]).toEqual([9, child.pid]);
    const response = chat(ready);
    await fetch(`${ready.url}/models`);
    const ended = end(signal);
    expect((await response).status).toBe(200);
    const { code, stdout, stderr } = await ended;
    expect([code, stdout.split('\n').length]).toEqual([0, 2]);
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining(ready.url),
      `mock: stopping: ${signal}`,
      'mock: stopped',
      '',
    ]);
    for (const key of Object.values(ready.keys)) expect(stderr).not.toContain(key);
  },
);

/** Sends a chat with this Idempotency-Key, if any, and ends with this code. */
const client = (key: string, code: number, then = ''): readonly string[] => [
  process.execPath,
  '--input-type=module',
  '-e',
  `const { CHAT_BASE_URL: url, CHAT_API_KEY: token, CHAT_CONTROL_URL: control, OPENAI_BASE_URL: other } = process.env;
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  if ('${key}' !== '') headers['idempotency-key'] = '${key}';
  const body = '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}';
  const { status } = await fetch(url + '/chat/completions', { method: 'POST', headers, body });
  process.exitCode = ${code};${then}`,
];

const NAMED = `
  const { requests } = await (await fetch(control + '/requests')).json();
  console.log(status, requests.length, other === url);`;

test.each([
  [0, ['--as', 'openai'], '200 1 true\n'],
  [7, [], '200 1 false\n'],
])(
  'exits with %i, the code of a command that finds the mock in its environment given %j',
  async (...given) => {
    const [code, as, stdout] = given;
    const result = await runCommand(['mock', ...as, '--', ...client('', code, NAMED)]);
    expect(result).toEqual({ code, stdout, stderr: '' });
  },
);

test.each([
  [137, 'of the signal that ended a command', [], ['sh', '-c', 'kill -9 $$']],
  [0, 'of tests that cause no violation', ['--judge'], client('k-1', 0)],
  [1, 'of tests that cause a violation', ['--judge'], client('', 0)],
  [7, 'of tests that fail beside a violation', ['--judge'], client('', 7)],
  [3, 'of tests that send nothing', ['--judge'], ['true']],
])('exits with %i, the code %s', async (code, _of, options, command) => {
  const { code: ended, stderr } = await callCommand(['mock', ...options, '--', ...command]);
  expect(ended).toBe(code);
  expect(stderr).toMatch(options.includes('--judge') ? /Outcome: / : /^$/);
});

test.each([
  ['SIGINT', 130, ''],
  ['SIGTERM', 143, ''],
  ['SIGTERM', 5, "trap 'exit 5' TERM; "],
] as const)('passes %s on to its command, with code %i, and ends all', async (signal, code, trap) => {
  const child = spawnCommand(['mock', '--', 'bash', '-c', `${trap}sleep 60 & echo $$ $!; wait`]);
  const ended = resultOf(child);
  if (child.stdout === null) throw new Error('it was started without pipes');
  const [pids = '']: string[] = await once(createInterface({ input: child.stdout }), 'line');
  child.kill(signal);
  expect((await ended).code).toBe(code);
  await expect.poll(() => pids.split(' ').map(Number).filter(isAlive)).toEqual([]);
});

test('takes parts of a world as a file and as options', async () => {
  const file = join(temporaryFolder(), 'world.json');
  writeFileSync(file, JSON.stringify({ workspaces: { main: { credits: 5 } } }));
  const options = ['--key', 'any', '--model', 'gpt-4o', '--concurrency', '2', '--clock', 'real'];
  const { end, ready } = await started(['--control', '--world', file, ...options]);
  const anyone = { ...ready, keys: { primary: 'sk-anything' } };
  expect((await chat(anyone)).status).toBe(402);
  expect(await (await fetch(`${ready.control}/world`)).json()).toMatchObject({
    clock: 'real',
    limits: { concurrency: 2 },
    anyKey: 'primary',
    models: expect.arrayContaining([expect.objectContaining({ id: 'gpt-4o' })]),
  });
  await end();
});

test('prefers its rules to those of its world, logs, and names what was never used', async () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const answers = [{ text: 'from a file' }, { text: 'third' }];
  const faults = [{ fault: 'rate_limit', times: 1 }];
  writeFileSync(at('world.json'), JSON.stringify({ faults, answers }));
  const own = ['--seed', '6', '--fault', 'stall', '--answer', 'text="from a line" times=1'];
  const more = ['--world', at('world.json'), '--control', '--log', 'json'];
  const { end, ready } = await started([...own, ...more]);
  const { url, control, ui, seed } = ready;
  expect({ seed, control, ui }).toEqual({
    seed: 6,
    control: url.replace('/v1', '/control'),
    ui: url.replace('/v1', '/control/ui'),
  });
  expect((await fetch(ui)).headers.get('content-type')).toMatch(/^text\/html/);
  const armed: { rules: { rule: { fault: string } }[] } = JSON.parse(
    await (await fetch(`${control}/faults`)).text(),
  );
  expect(armed.rules.map(({ rule }) => rule.fault)).toEqual(['stall', 'rate_limit']);
  await fetch(`${control}/faults`, { method: 'DELETE' });
  const said = async (): Promise<unknown> => {
    const { choices } = JSON.parse(await (await chat(ready)).text());
    return choices[0].message.content;
  };
  expect([await said(), await said()]).toEqual(['from a line', 'from a file']);
  const { code, stderr } = await end();
  expect(code).toBe(0);
  const lines = stderr.split('\n');
  const logged = lines.filter((line) => line.startsWith('{')).map((line): unknown => JSON.parse(line));
  const request = { method: 'POST', path: '/v1/chat/completions', status: 200, key: 'primary' };
  expect(logged).toMatchObject([request, request]);
  expect(lines.filter((line) => line.startsWith('mock: answer_'))).toEqual([
    expect.stringMatching(/^mock: answer_3 \(text=third\) was never used: 2 requests came; none matched/),
  ]);
});

test('names its defect and the faults that never happened, and lists its defects', async () => {
  const { end, ready } = await started(['--defect', 'top-p-allowed', '--fault', 'stall']);
  expect(ready.defect).toBe('top-p-allowed');
  const { stderr } = await end();
  expect(stderr).toContain('mock: with the defect top-p-allowed, which breaks REQ-6: ');
  expect(stderr).toContain('mock: rule_1 (stall bytes=0 phase=inside-body) was never used\n');
  const { code, stdout } = await callCommand(['mock', '--defect', 'list']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^top-p-allowed +REQ-6: /m)]);
});
