import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { validate } from 'dockerfile-utils';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { readReport } from '../../../suites/kit/reporting/read-report.ts';
import { type CommandResult, resultOf } from '../support/command.ts';
import { buildImage } from './built-image.ts';
import { composed } from './composed.ts';
import { DOCKERFILE, execForm, lastStep, STEPS } from './recipe.ts';
import { besideThisMachine, inBareRoot, noBareRoot, type Start } from './started-in.ts';

const ENTRYPOINT = execForm('ENTRYPOINT');
const HEALTHCHECK = execForm('HEALTHCHECK');
const TOKEN = { CHAT_CONTROL_TOKEN: 'a-token-of-the-test' };
const KEY = { CHAT_API_KEY: builtInWorld.keys[0]?.key ?? '' };

const OWN_CHECK = `
  import { check, getStimulus, HOLDS } from 'chat-conformance/checks';
  const given = getStimulus('x-listing', '/models', ['primary']);
  export default [check({ id: 'x-listed', title: 'lists', given, holds: () => HOLDS })];
`;

let image = '';
beforeAll(async () => void (image = await buildImage()), 300_000);

interface Served {
  readonly url: string;
  /** The address in a word of the recipe, as it is here. */
  readonly here: (word: string) => string;
  readonly end: () => Promise<number | null>;
}

/** Starts a mock by its words in the recipe, at a free port instead of the recipe's. */
async function served(start: Start, words: readonly string[]): Promise<Served> {
  const free = words.map((word) => (word === '8080' ? '0' : word));
  const child = start(image, [...ENTRYPOINT, ...free], TOKEN);
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('no output');
  const [line = '{}']: string[] = await once(createInterface({ input: child.stdout }), 'line');
  const { port } = new URL(JSON.parse(line).url);
  const end = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    return child.exitCode;
  };
  const here = (word: string): string => word.replaceAll(/(?:127\.0\.0\.1|mock):8080/g, `127.0.0.1:${port}`);
  return { url: `http://127.0.0.1:${port}/v1`, here, end };
}

function commanded(start: Start, words: readonly string[]): Promise<CommandResult> {
  return resultOf(start(image, [...ENTRYPOINT, ...words], KEY));
}

async function healthOf(start: Start, { here }: Served): Promise<number | null> {
  return (await resultOf(start(image, HEALTHCHECK.map(here)))).code;
}

test('is a Dockerfile that its validator accepts', () => {
  expect(validate(DOCKERFILE)).toEqual([]);
  expect(validate(DOCKERFILE.replace('EXPOSE 8080', 'EXPOSE eighty'))).toHaveLength(1);
});

test('takes every base image from an argument, so that a team can pin it', () => {
  const names = STEPS.filter(({ keyword }) => keyword === 'ARG').map(({ words: [word = ''] }) => word);
  const bases = STEPS.filter(({ keyword }) => keyword === 'FROM').map(({ words: [word] }) => word);
  expect(bases).toEqual(names.map((name) => `\${${name.split('=')[0]}}`));
  expect(names).not.toContainEqual(expect.stringMatching(/:latest$|^[^:]+$/));
});

test('names its user by a number that is not root', () => {
  expect(lastStep('USER').words).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
});

test('checks the health of the port that it exposes', () => {
  expect(HEALTHCHECK.join(' ')).toContain(`:${lastStep('EXPOSE').words[0]}/`);
});

const WAYS = [
  { way: 'in a bare root file system', start: inBareRoot, missing: noBareRoot },
  { way: 'beside this machine', start: besideThisMachine, missing: () => undefined },
];

describe.each(WAYS)('$way', ({ start, missing }) => {
  test('serves the mock to other hosts, is healthy while it does, and ends on SIGTERM', async ({ skip }) => {
    skip(missing(image) !== undefined, missing(image));
    const mock = await served(start, ['mock', '--host', '0.0.0.0', '--port', '8080', '--control']);
    expect(await healthOf(start, mock)).toBe(0);
    expect((await fetch(new URL('/control/faults', mock.url))).status).toBe(401);
    expect(await mock.end()).toBe(0);
    expect(await healthOf(start, mock)).toBe(1);
  });

  test('refuses to open the control API to other hosts without a token', async ({ skip }) => {
    skip(missing(image) !== undefined, missing(image));
    const ended = await commanded(start, ['mock', '--host', '0.0.0.0', '--port', '0', '--control']);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('token') });
  });

  test('checks a service, with checks of the user, and writes the reports', async ({ skip }) => {
    skip(missing(image) !== undefined, missing(image));
    const { url } = await served(start, ['mock', '--port', '8080']);
    const [out, checks] = [join(image, 'work', 'out'), join(image, 'work', 'checks.ts')];
    onTestFinished(() => [out, checks].forEach((path) => rmSync(path, { recursive: true, force: true })));
    writeFileSync(checks, OWN_CHECK);
    const words = ['--base-url', url, '--checks', '/work/checks.ts', '--only', 'REQ-6,own'];
    const ended = await commanded(start, [...words, '--report', '/work/out']);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/own +1 passed/) });
    expect(readReport(out).outcome).toBe('conformant');
  });
});

test('has a stack in which the mock is healthy before the client starts', () => {
  const { mock, client } = composed().services;
  expect(mock?.healthcheck?.test).toEqual(['CMD', ...HEALTHCHECK]);
  expect(client?.depends_on).toEqual({ mock: { condition: 'service_healthy' } });
});

test('has a stack whose mock serves the client by the address and the key that it is given', async () => {
  const { mock, client } = composed().services;
  const { here } = await served(besideThisMachine, mock?.command ?? []);
  const { CHAT_BASE_URL: url = '', CHAT_API_KEY: key = '' } = client?.environment ?? {};
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${here(url)}/models`, { headers })).status).toBe(200);
});

test('has a stack whose profile checks a service', async () => {
  const { conformance } = composed().services;
  const { url } = await served(besideThisMachine, ['mock', '--port', '8080']);
  const words = (conformance?.command ?? []).map((word) => word.replace(/^\$\{SERVICE_URL:.*\}$/, url));
  expect(words).toContain(url);
  expect(conformance?.profiles).toEqual(['conformance']);
  const ended = await commanded(besideThisMachine, words);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Outcome: conformant') });
});
