import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtInWorld } from './built-in-world.ts';
import { readWorld } from './world-file.ts';
import type { World } from './world-schema.ts';

async function read(content: unknown, warn: (line: string) => void = () => {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'world-'));
  try {
    const path = join(folder, 'world.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return await readWorld(path, { warn });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each([{}, { $schema: 'world.schema.json', ...builtInWorld }])(
  'reads the built-in world: %#',
  async (file) => {
    expect(await read(file)).toEqual(builtInWorld);
  },
);

const model = { id: 'm', contextTokens: 10, price: { input: 1, output: 1 } };

test('names the file and the place of what is wrong in one line', async () => {
  await expect(read({ model: [], keyz: [] })).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(
      /world\.json: \/model: unknown field \(did you mean models\?\); allowed:.*$/,
    ),
  });
});

test('reads faults and chosen answers, as JSON or as lines', async () => {
  const rules = { faults: ['rate_limit times=1', { fault: 'stall' }], answers: ['text=a', { text: 'b' }] };
  expect(await read(rules)).toEqual({ ...builtInWorld, ...rules });
});

test.each([
  [{ answers: [{ text: 'a' }, { text: '' }] }, '/answers/1/text: an empty answer'],
  [{ faults: [{ fault: 'stream_cut' }, { fault: 'stream_cut', phase: 'after-debit' }] }, '/faults/1/phase: '],
  [{ faults: ['rate_limit key=none'] }, '/faults/0/match/key: no key of this world'],
])('names the place of a wrong rule: %j', async (content, place) => {
  await expect(read(content)).rejects.toThrow(`world.json: ${place}`);
});

test('says that a file is not JSON, without a word of what it holds', async () => {
  await expect(read('{"key":"secret')).rejects.toThrow(/world\.json: is not JSON$/);
});

test('says that a file cannot be read', async () => {
  await expect(readWorld('/no/such/world.json')).rejects.toThrow('world.json: cannot be read (ENOENT)');
});

test('joins the parts of a recording, with the last answer to each chat, and leaves out a line that was not written to its end', async () => {
  const again = { model: 'm', request: { messages: [{ role: 'user', content: 'Again?' }] } };
  const parts = [
    { unanswered: 'refuse', choices: { request: { maxTokensDefault: 7 } } },
    { models: [model], answers: [{ text: 'one' }, { match: again, text: 'then' }] },
    {
      models: [
        { ...model, contextTokens: 20 },
        { ...model, id: 'n' },
      ],
      answers: ['text=two', { match: again, text: 'now' }],
    },
  ].map((part) => JSON.stringify(part));
  const warnings: string[] = [];
  const text = `${parts.slice(0, 2).join('\n')}\n{"answers":[{"te\n${parts[2]}\n{"answers":`;
  const world = await read(text, (line) => warnings.push(line));
  expect(world).toMatchObject({
    unanswered: 'refuse',
    models: [{ id: 'm', contextTokens: 20 }, { id: 'n' }],
    answers: [{ text: 'one' }, { match: again, text: 'now' }, 'text=two'],
  });
  expect(world.choices.request.maxTokensDefault).toBe(7);
  expect(warnings).toEqual([expect.stringContaining('ignored what is not JSON, line 3, 5')]);
  await expect(read(`${parts[0]}\n{"models":1}`)).rejects.toThrow('world.json, line 2: /models: ');
});
