import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failuresOf } from '../judge-run.ts';
import { RUN_SIZES, runAgainst } from '../proof-run.ts';
import { SECOND_SERVICE_WORLD } from '../variants/variant-worlds.ts';

test.each(RUN_SIZES)(
  'keeps every clause of the service, and shows all but VER-2, at %s size',
  async (size) => {
    const run = await runAgainst(SECOND_SERVICE_WORLD, size, 1);
    expect(failuresOf(run)).toEqual([]);
    expect(run).toMatchObject({ outcome: 'conformant', unexercised: ['VER-2'] });
  },
);

test('shares nothing with the mock, the suites and their fixtures', () => {
  const folder = new URL('./', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const imported = sources.flatMap((name) => {
    const from = new URL(name, folder);
    const text = readFileSync(from, 'utf8');
    return [...text.matchAll(/\bfrom '(?<from>[^']+)'/g)].map(
      ({ groups }) => new URL(groups?.['from'] ?? '', from).href,
    );
  });
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((url) => !url.startsWith('node:') && !url.startsWith(folder.href))).toEqual([]);
});
