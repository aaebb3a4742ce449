import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { configurationJsonSchema } from '../../cli/config/configuration.ts';
import { resultOf, spawnCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

/** A folder of a project, without any package in it or above it. */
function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A process of its own: a configuration in TypeScript is loaded by Node. */
function runIn(cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  return resultOf(spawnCommand(args, env, cwd));
}

const TYPED = `
  import { defineConfig, type Configuration } from 'chat-conformance';
  const caps: Configuration['caps'] = { requests: 40 };
  export default defineConfig({
    tier: 'smoke',
    caps,
    targets: {
      local: {
        baseUrl: process.env.WHERE ?? '',
        keys: { primary: { env: 'LOCAL_KEY' }, second: { file: 'second.txt' } },
        headers: { 'x-team': 'blue', 'x-gateway-token': { env: 'GATEWAY' } },
      },
    },
  });
`;

test('checks the target that a typed configuration above the working directory names', async () => {
  const mock = await openMock({ defect: 'unknown-fields-stripped' });
  const { primary = '', second } = mock.keys;
  const project = projectWith({ 'chat-conformance.config.ts': TYPED, 'second.txt': `${second}\n` });
  const env = { WHERE: mock.url, LOCAL_KEY: primary, GATEWAY: 'gateway-s3cret' };
  mkdirSync(join(project, 'below'));
  const args = ['--target', 'local', '--only', 'unheard-of-field-refused', '--report', 'out'];
  const { code, stdout, stderr } = await runIn(join(project, 'below'), args, env);
  expect([code, stderr]).toEqual([1, expect.not.stringMatching(/warning/i)]);
  expect(stdout).toContain(`${mock.url} (live), seed`);
  expect(stdout).toContain('chat-conformance --target local --seed');
  const curl = '-H "Authorization: Bearer $LOCAL_KEY" ';
  expect(stdout).toContain(curl);
  expect((await runIn(join(project, 'below'), ['report', 'out'])).stdout).toContain(curl);
});

test('shows every setting with its origin, and no secret', async () => {
  const folder = projectWith({ 'chat-conformance.config.ts': TYPED, 'second.txt': 'second-hunter2\n' });
  const env = { WHERE: 'http://127.0.0.1:9/v1', LOCAL_KEY: 'primary-hunter2', GATEWAY: 'gateway-hunter2' };
  const given = ['--header', 'x-own: own-hunter2', '--max-completions', '5'];
  const { code, stdout } = await runIn(folder, ['--target', 'local', '--show-config', ...given], env);
  expect(code).toBe(0);
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  const at = 'chat-conformance.config.ts#';
  expect(rows).toEqual(
    expect.arrayContaining([
      ['baseUrl', 'http://127.0.0.1:9/v1', `${at}/targets/local/baseUrl`],
      ['tier', 'smoke', `${at}/tier`],
      ['caps.completions', '5', '--max-completions'],
      ['concurrency', '4', 'default'],
      ['keys.primary', '(hidden)', `LOCAL_KEY (${at}/targets/local/keys/primary)`],
      ['keys.second', '(hidden)', `second.txt (${at}/targets/local/keys/second)`],
      ['keys.unscoped', '(CHAT_UNSCOPED_API_KEY is not set)', 'CHAT_UNSCOPED_API_KEY'],
      ['headers.x-team', 'blue', `${at}/targets/local/headers/x-team`],
      ['headers.x-gateway-token', '(hidden)', `GATEWAY (${at}/targets/local/headers/x-gateway-token)`],
      ['headers.x-own', '(hidden)', '--header x-own'],
    ]),
  );
  expect(stdout).not.toContain('hunter2');
});

test('is described by a JSON Schema that accepts what the command accepts, and refuses a key as text', () => {
  const validate = new Ajv2020({ strict: true }).compile(configurationJsonSchema());
  const keys = { primary: { env: 'KEY' } };
  expect(validate({ tier: 'smoke', targets: { a: { keys, headers: { 'x-a': 'b' } } } })).toBe(true);
  expect(validate({ targets: { a: { keys: { primary: 'hunter2hunter2' } } } })).toBe(false);
});
