import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STIMULUS_FUNCTIONS, TEXT_ARGUMENTS } from './judgements-only.ts';

const SUITES = new URL('../../../suites/', import.meta.url);

test('names only functions that the suites declare', () => {
  const sources = readdirSync(SUITES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const text = sources.map((name) => readFileSync(new URL(name, SUITES), 'utf8')).join('\n');
  const names = [...STIMULUS_FUNCTIONS, ...TEXT_ARGUMENTS.keys()];
  expect(names.filter((name) => !new RegExp(`function ${name}\\b`).test(text))).toEqual([]);
});
