import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtInWorld } from '../world/built-in-world.ts';
import { readScenarioFile, type Scenario } from './scenario-file.ts';

async function read(content: unknown): Promise<Scenario> {
  const folder = await mkdtemp(join(tmpdir(), 'scenario-'));
  try {
    const path = join(folder, 'scenario.json');
    await writeFile(path, JSON.stringify(content));
    return await readScenarioFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('reads faults, a seed and a partial world', async () => {
  const line = 'gateway_failure body=text';
  const phase = 'during-generation';
  const faults = [{ fault: 'gateway_failure', status: 502, body: 'text', phase, match: {} }];
  expect(await read({ faults: [line] })).toEqual({ faults });
  expect(
    await read({
      faults: [{ fault: 'gateway_failure', body: 'text' }],
      seed: 4,
      world: { limits: { retryAfterSeconds: 2 } },
    }),
  ).toEqual({
    faults,
    seed: 4,
    world: { ...builtInWorld, limits: { ...builtInWorld.limits, retryAfterSeconds: 2 } },
  });
});

test('reads chosen answers, whose files are beside the scenario', async () => {
  const answers = ['file=scenario.json contains=a'];
  const text = JSON.stringify({ answers, world: { answers } });
  const chosen = [{ match: { contains: 'a' }, text }];
  expect(await read({ answers, world: { answers } })).toEqual({
    faults: [],
    answers: chosen,
    world: { ...builtInWorld, answers: chosen },
  });
});

test.each([
  [{}, '/faults: '],
  [{ fault: [] }, '/fault: unknown field (did you mean faults?); allowed:'],
  [{ faults: [], answers: [{ text: 'a' }, { text: '' }] }, '/answers/1/text: an empty answer'],
  [{ answers: [{ file: 'none.txt' }] }, '/answers/0/file: '],
  [{ faults: [], seeds: 1 }, '/seeds: unknown field (did you mean seed?); allowed:'],
  [{ faults: [{ fault: 'stream_cut' }, { fault: 'stream_cut', phase: 'after-debit' }] }, '/faults/1/phase: '],
  [{ faults: [], world: { limit: {} } }, '/world/limit: unknown field (did you mean limits?); allowed:'],
])('names the file and the place given %j', async (content, place) => {
  await expect(read(content)).rejects.toMatchObject({
    name: 'JsonFileError',
    message: expect.stringContaining(`scenario.json: ${place}`),
  });
});
