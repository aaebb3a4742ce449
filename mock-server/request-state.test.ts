import { expect, test } from 'vitest';

import { RESERVATION_OF, settle } from './request-state.ts';

test('lets a running request succeed or fail, once', () => {
  for (const to of ['succeeded', 'failed'] as const) {
    expect(settle('running', to)).toBe(to);
    expect(() => settle('succeeded', to)).toThrow(`has succeeded cannot become ${to}`);
    expect(() => settle('failed', to)).toThrow(`has failed cannot become ${to}`);
  }
});

test('holds a reservation while the request runs, and only then', () => {
  expect(RESERVATION_OF).toEqual({ running: 'held', succeeded: 'consumed', failed: 'released' });
});
