import { expect, test } from 'vitest';
import { howToGet } from './programs.ts';

test('says how to get the programs that are missing, and nothing where none is', () => {
  expect(howToGet(['nginx', 'squid'], ['/no/such/folder'])).toBe(
    'nginx, squid are not here: apt-get install --no-install-recommends nginx-light squid (CONTRIBUTING.md)',
  );
  expect(howToGet([])).toBeUndefined();
});
