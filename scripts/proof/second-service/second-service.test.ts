import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultsIn, summaryOf } from '../test-support/summary-of.ts';
import { SECOND_SERVICE_WORLD } from '../variants/variant-worlds.ts';

/** The clauses of the service without an answer, each with the reason. */
async function unexercised(size: 'live' | 'full') {
  const summary = await summaryOf(SECOND_SERVICE_WORLD, size);
  expect(faultsIn(summary)).toEqual([]);
  expect(summary.outcome).toBe('conformant');
  const ofService = summary.clauses.filter(({ bound }) => bound === 'service');
  const without = ofService.filter(
    ({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive',
  );
  return without.map(({ id, reason }) => `${id}: ${reason}`);
}

test('keeps every clause of the service, the workspace read and the faults armed by the control protocol', async () => {
  expect(await unexercised('full')).toEqual([]);
});

test('keeps every clause of the service within the caps of a live target', async () => {
  expect(await unexercised('live')).toEqual([]);
});

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
