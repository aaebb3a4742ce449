import { expect, test } from 'vitest';
import { defectNames } from '../../mock-server/defects/defects.ts';
import { WORLDS } from './worlds.ts';

test('has a world for each defect of the mock, and every name once', () => {
  const names = WORLDS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.slice(0, defectNames().length)).toEqual(defectNames());
});
