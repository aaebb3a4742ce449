import { expect, test } from 'vitest';
import { ERROR_TABLE } from './error-table.ts';

test.each(Object.entries(ERROR_TABLE))(
  'gives %s its own name for a code, a status and a sentence',
  (kind, row) => {
    expect(row.code).toBe(kind);
    expect(row.status).toBeGreaterThanOrEqual(400);
    expect(row.status).toBeLessThanOrEqual(599);
    expect(row.meaning).toMatch(/^[A-Z].*\.$/);
  },
);
