import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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
