import { expect, test } from 'vitest';
import { ServiceFiles } from './service-files.ts';

test('leaves out a file once it changed in three rounds in a row, and nothing else', () => {
  const files = new ServiceFiles();
  const db = ['data.db'];
  expect(files.sift(db, 1)).toEqual({ begin: db, leftOut: [] });
  // Twice in one round is once.
  expect(files.sift(db, 1)).toEqual({ begin: db, leftOut: [] });
  expect(files.sift(db, 2)).toEqual({ begin: db, leftOut: [] });
  expect(files.sift(['data.db', 'app.js'], 3)).toEqual({ begin: ['app.js'], leftOut: db });
  expect(files.sift(db, 'idle')).toEqual({ begin: [], leftOut: [] });
});

test('keeps a file that did not change in one of the rounds', () => {
  const files = new ServiceFiles();
  for (const round of [1, 2, 4, 5]) expect(files.sift(['app.js'], round).begin).toEqual(['app.js']);
});

test('keeps a file that was ever saved while nothing was checked', () => {
  const files = new ServiceFiles();
  for (const round of ['idle', 1, 2, 3, 4] as const)
    expect(files.sift(['app.js'], round).begin).toEqual(['app.js']);
});

test('keeps a file that changes just after each round: nobody knows who wrote it', () => {
  const files = new ServiceFiles();
  const begun = [1, 2, 3].flatMap(() => files.sift(['app.js'], 'just after').begin);
  expect(begun).toEqual(['app.js', 'app.js', 'app.js']);
});
