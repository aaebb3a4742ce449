import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { COMMAND, resultOf } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

// What the image would start, with the command as it is installed: no container engine is needed.

const FOLDER = new URL('../../container/', import.meta.url);
const DOCKERFILE = readFileSync(new URL('Dockerfile', FOLDER), 'utf8');

/** The arguments of each instruction of this kind. */
function instructions(keyword: string): readonly string[] {
  return [...DOCKERFILE.matchAll(new RegExp(`^${keyword} (.*)$`, 'gm'))].map(([, text = '']) => text);
}

/** The words of an instruction in exec form; a shell form is no JSON, and throws. */
function execForm(keyword: string): readonly string[] {
  const text = instructions(keyword).at(-1) ?? '';
  return z.array(z.string()).parse(JSON.parse(text.replace(/^.*?CMD /, '')));
}

const ENTRYPOINT = execForm('ENTRYPOINT');
const HEALTHCHECK = execForm('HEALTHCHECK');

const service = z.object({
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  profiles: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional() }).optional(),
});
const { mock, client, conformance } = z
  .object({ services: z.object({ mock: service, client: service, conformance: service }) })
  .parse(parse(readFileSync(new URL('compose.yaml', FOLDER), 'utf8'))).services;

/** Starts words of the image, where the paths of the image are those of this machine. */
function started(words: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const places = [
    ['/nodejs/bin/node', process.execPath],
    ['/app/dist/chat-conformance.js', COMMAND],
    ['/work/', `${temporaryFolder()}/`],
  ] as const;
  const here = (word: string): string => {
    const [from, to] = places.find(([place]) => word.startsWith(place)) ?? ['', ''];
    return word.replace(from, to);
  };
  const [file = '', ...args] = words.map(here);
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('takes every base image from an argument, so that a team can pin it, and is not root', () => {
  const names = instructions('ARG');
  const bases = instructions('FROM').map((text) => text.split(' ')[0]);
  expect(bases).toEqual(names.map((name) => `\${${name.split('=')[0]}}`));
  expect(names).not.toContainEqual(expect.stringMatching(/:latest$|^[^:]+$/));
  expect(instructions('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  expect(HEALTHCHECK.join(' ')).toContain(`connect(${instructions('EXPOSE')[0]}, `);
});

test('has a stack whose client starts once the mock is healthy, and a profile that checks a service', async () => {
  expect(mock.healthcheck?.test).toEqual(['CMD', ...HEALTHCHECK]);
  expect(client.depends_on).toEqual({ mock: { condition: 'service_healthy' } });
  expect(conformance.profiles).toEqual(['conformance']);
  const words = mock.command.map((word) => (word === '8080' ? '0' : word));
  const child = started([...ENTRYPOINT, ...words], { CHAT_CONTROL_TOKEN: 'a-token-of-the-test' });
  if (child.stdout === null) throw new Error('no output');
  const [line = '{}']: string[] = await once(createInterface({ input: child.stdout }), 'line');
  const { port } = new URL(JSON.parse(line).url);
  const here = (word: string): string => word.replaceAll(/(?:127\.0\.0\.1|mock):8080/g, `127.0.0.1:${port}`);
  const check = HEALTHCHECK.map((word) => word.replace('8080', port));
  const health = async (): Promise<number | null> => (await resultOf(started(check))).code;

  expect(await health()).toBe(0);
  const { CHAT_BASE_URL: url = '', CHAT_API_KEY: key = '' } = client.environment;
  const models = await fetch(here(`${url}/models`), { headers: { authorization: `Bearer ${key}` } });
  expect(models.status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/control/faults`)).status).toBe(401);
  const target = `http://127.0.0.1:${port}/v1`;
  const run = conformance.command.map((word) => word.replace(/^\$\{SERVICE_URL:.*\}$/, target));
  expect(run).toContain(target);
  const checked = started([...ENTRYPOINT, ...run], { CHAT_API_KEY: builtInWorld.keys[0]?.key ?? '' });
  const conformant = { code: 0, stdout: expect.stringContaining('Outcome: conformant') };
  expect(await resultOf(checked)).toMatchObject(conformant);

  child.kill('SIGTERM');
  // The suites are a caller too, and not a faithful one.
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await health()).toBe(1);
});
