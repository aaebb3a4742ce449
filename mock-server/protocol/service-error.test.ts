import { expect, test } from 'vitest';
import { ERROR_TABLE } from './service-error.ts';

test.each(Object.entries(ERROR_TABLE))(
  'gives %s a status of an error and a sentence',
  (_, [status, meaning]) => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThanOrEqual(599);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  },
);
