import { expect, test } from 'vitest';
import { BROKEN_REACTIONS } from './broken-reactions.ts';
import { BROKEN_REQUESTS } from './broken-requests.ts';

test('breaks each clause that a service can see a caller break', () => {
  const broken = Object.values({ ...BROKEN_REACTIONS, ...BROKEN_REQUESTS });
  expect([...new Set(broken.flatMap(([, , ...clauses]) => clauses))].toSorted()).toEqual(
    [
      'VIS-2',
      'IDEM-1',
      'IDEM-2',
      'AUTH-3',
      ...Array.from({ length: 8 }, (_, i) => `CALL-${i + 1}`),
    ].toSorted(),
  );
});
